/** Tests of fencing tokens over HTTP. */
package dev.holdfast.guard.http;
