/**
 * SPI for integrations such as the Spring Boot starter. Applications do not need it. It
 * is not a stable API: any release may change it. This package does not depend on another
 * package of the engine.
 */
@NullMarked
package dev.kubeinformer.spi;

import org.jspecify.annotations.NullMarked;
