/**
 * Tests of the links of the pages.
 */
@NullMarked
package dev.kubeinformer.spring.docs;

import org.jspecify.annotations.NullMarked;
