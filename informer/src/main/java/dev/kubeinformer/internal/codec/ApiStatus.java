package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.Nullable;

/**
 * Failure as the API server reports it, in a {@code Status} object or by HTTP alone.
 *
 * @param code the code of the status, else that of HTTP
 * @param reason the reason, such as {@code Expired}; empty if there is none
 * @param message the message; empty if there is none
 * @param causes the causes, each as {@code reason:message}, separated by commas; empty if
 * there are none
 * @param retryAfterSeconds how long the server asks to wait; {@code null} if it does not
 */
public record ApiStatus(int code, String reason, String message, String causes, @Nullable Integer retryAfterSeconds) {

}
