/**
 * HTTP server, its connections, and the exchange of one request and its response.
 */
@NullMarked
package dev.kubeinformer.test.internal.http;

import org.jspecify.annotations.NullMarked;
