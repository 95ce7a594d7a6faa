/**
 * Tests of the sample as an image, and of the manifests that run it in a cluster.
 */
@NullMarked
package dev.kubeinformer.sample.image;

import org.jspecify.annotations.NullMarked;
