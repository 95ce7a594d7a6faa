package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.Nullable;

/**
 * Failure that the API server reports. It is described by a {@code Status} object, or
 * only by the HTTP status of the response.
 *
 * @param code the code in the {@code Status} object; the HTTP status if there is none
 * @param reason the reason, such as {@code Expired}; empty if there is none
 * @param message the message; empty if there is none
 * @param causes the causes, each as {@code reason:message}, separated by commas; empty if
 * there are none
 * @param retryAfterSeconds the wait that the server asks for; {@code null} if none
 */
public record ApiStatus(int code, String reason, String message, String causes, @Nullable Integer retryAfterSeconds) {

}
