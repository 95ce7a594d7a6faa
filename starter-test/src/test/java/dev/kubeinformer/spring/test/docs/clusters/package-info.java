/**
 * The code of the page on clusters that needs the support for Spring's tests.
 */
@NullMarked
package dev.kubeinformer.spring.test.docs.clusters;

import org.jspecify.annotations.NullMarked;
