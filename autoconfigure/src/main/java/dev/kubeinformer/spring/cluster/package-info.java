/**
 * Support for several clusters in one application.
 */
@NullMarked
package dev.kubeinformer.spring.cluster;

import org.jspecify.annotations.NullMarked;
