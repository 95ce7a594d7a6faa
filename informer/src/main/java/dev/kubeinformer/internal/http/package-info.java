/**
 * HTTP code that informers and writes share: connecting, redirects, tokens, bodies and
 * warnings.
 */
@NullMarked
package dev.kubeinformer.internal.http;

import org.jspecify.annotations.NullMarked;
