/**
 * HTTP server, its connections, and the exchange of one request and its answer.
 */
@NullMarked
package dev.kubeinformer.test.internal.http;

import org.jspecify.annotations.NullMarked;
