package dev.kubeinformer.internal.codec;

/**
 * Cause of a rejection, as the API server reports it.
 *
 * @param reason the reason, such as {@code FieldValueInvalid}; empty if there is none
 * @param field the path of the field; empty if there is none
 * @param message the message, which may quote the value of the field; empty if there is
 * none
 */
public record StatusCause(String reason, String field, String message) {

}
