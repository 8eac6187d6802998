/** The contract, tried on what there is, and what clients suffer when things break. */
package dev.holdfast.contract;
