/**
 * The code of the pages in docs, so that it compiles and runs.
 */
@NullMarked
package dev.kubeinformer.spring.docs;

import org.jspecify.annotations.NullMarked;
