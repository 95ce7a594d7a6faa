/** Published artifacts, and the parts that others may rely on. */
@NullMarked
package dev.kubeinformer.publication;

import org.jspecify.annotations.NullMarked;
