/**
 * Reads certificates and keys, and sets up the TLS of a client, by the rules of client-go
 * ({@code transport}, {@code util/cert}).
 */
@NullMarked
package dev.kubeinformer.internal.client.tls;

import org.jspecify.annotations.NullMarked;
