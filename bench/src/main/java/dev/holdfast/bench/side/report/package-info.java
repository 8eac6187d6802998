/** What was measured, as figures, tables and plots. */
@NullMarked
package dev.holdfast.bench.side.report;

import org.jspecify.annotations.NullMarked;
