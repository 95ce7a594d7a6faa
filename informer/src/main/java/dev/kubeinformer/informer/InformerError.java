package dev.kubeinformer.informer;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.Problem;

/**
 * Last error of an informer. It never contains contents of objects.
 *
 * @param at the time of the error
 * @param verb the Kubernetes verb, {@code list} or {@code watch}
 * @param resource the resource, such as {@code pods} or {@code deployments.apps}
 * @param problem the classification of the error
 * @param httpStatus the HTTP status or the code of the {@code Status} object, for
 * information; {@code null} if there was no response
 * @param reason the {@code reason} of Kubernetes, such as {@code Forbidden}; if it is
 * missing, a reason of the engine, such as {@code CertificateNotTrusted}, or the simple
 * name of the exception
 * @param message a readable sentence, which may quote the API server
 * @param advice the recommended action, which never quotes the API server; {@code null}
 * if there is none
 */
public record InformerError(Instant at, String verb, String resource, Problem problem, @Nullable Integer httpStatus,
		String reason, String message, @Nullable String advice) {

}
