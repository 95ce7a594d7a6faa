/**
 * Certificates, keys and TLS of a client, as client-go has them ({@code transport},
 * {@code util/cert}).
 */
@NullMarked
package dev.kubeinformer.internal.client.tls;

import org.jspecify.annotations.NullMarked;
