/**
 * Controllers, which maintain a desired state. Informers feed a work queue with keys, and
 * a reconciler runs for each key.
 */
@NullMarked
package dev.kubeinformer.controller;

import org.jspecify.annotations.NullMarked;
