/**
 * Service connections to the containers of Testcontainers.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.testcontainers;

import org.jspecify.annotations.NullMarked;
