/**
 * The code of the page on replicas that needs the support for Spring's tests.
 */
@NullMarked
package dev.kubeinformer.spring.test.docs.replicas;

import org.jspecify.annotations.NullMarked;
