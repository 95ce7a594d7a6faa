/**
 * Controllers: runs for the keys of a work queue, which informers feed, maintain a
 * desired state.
 */
@NullMarked
package dev.kubeinformer.controller;

import org.jspecify.annotations.NullMarked;
