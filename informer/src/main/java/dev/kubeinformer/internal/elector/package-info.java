/**
 * Leader election at work: its loop, its threads and its requests.
 */
@NullMarked
package dev.kubeinformer.internal.elector;

import org.jspecify.annotations.NullMarked;
