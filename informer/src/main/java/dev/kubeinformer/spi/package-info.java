/**
 * What integrations such as the Spring Boot starter need of the engine, and applications
 * do not. It is not a stable API: any release may change it. This package knows no other
 * package of the engine.
 */
@NullMarked
package dev.kubeinformer.spi;

import org.jspecify.annotations.NullMarked;
