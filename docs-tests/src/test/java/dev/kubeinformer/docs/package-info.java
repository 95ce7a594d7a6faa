/**
 * Tests of the code on the pages: each block compiles, parses or binds, and complete
 * programs run.
 */
@NullMarked
package dev.kubeinformer.docs;

import org.jspecify.annotations.NullMarked;
