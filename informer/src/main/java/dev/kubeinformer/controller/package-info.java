/**
 * Controllers: a state is kept by runs for keys of a work queue, fed by informers.
 */
@NullMarked
package dev.kubeinformer.controller;

import org.jspecify.annotations.NullMarked;
