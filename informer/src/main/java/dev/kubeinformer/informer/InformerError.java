package dev.kubeinformer.informer;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.Problem;

/**
 * The last thing that went wrong for an informer. It never holds contents of objects.
 *
 * @param at when it happened
 * @param verb the Kubernetes verb, {@code list} or {@code watch}
 * @param resource the resource, such as {@code pods} or {@code deployments.apps}
 * @param problem what went wrong, in one word
 * @param httpStatus the HTTP status or the code of the {@code Status} object, for people;
 * {@code null} if there was no answer
 * @param reason the reason that Kubernetes gave, such as {@code Forbidden}; where it gave
 * none, one of ours, such as {@code CertificateNotTrusted}, or the simple name of the
 * exception
 * @param message a sentence for people, which may quote what the API server said
 * @param advice what to look at, in words of the engine alone; {@code null} if there is
 * none
 */
public record InformerError(Instant at, String verb, String resource, Problem problem, @Nullable Integer httpStatus,
		String reason, String message, @Nullable String advice) {

}
