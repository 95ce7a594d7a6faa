/**
 * Reviews with which users request their own identity and permissions.
 */
@NullMarked
package dev.kubeinformer.test.internal.review;

import org.jspecify.annotations.NullMarked;
