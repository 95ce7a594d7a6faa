/**
 * Tests of the code on the pages: each block compiles, parses or binds, and what is whole
 * runs.
 */
@NullMarked
package dev.kubeinformer.docs;

import org.jspecify.annotations.NullMarked;
