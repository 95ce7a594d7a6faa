/**
 * Minimal controller: a Deployment for each Foo.
 */
@NullMarked
package dev.kubeinformer.samplecontroller;

import org.jspecify.annotations.NullMarked;
