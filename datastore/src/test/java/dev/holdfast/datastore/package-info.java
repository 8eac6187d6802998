/** Tests of the data store. */
package dev.holdfast.datastore;
