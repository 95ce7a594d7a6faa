/**
 * A controller as small as it can be: a Deployment for each Foo.
 */
@NullMarked
package dev.kubeinformer.samplecontroller;

import org.jspecify.annotations.NullMarked;
