package dev.kubeinformer.internal.transport;

import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.ApiException;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.protobuf.ProtobufStatus;
import dev.kubeinformer.internal.failure.Refusal;
import dev.kubeinformer.internal.http.AnswerBodies;
import dev.kubeinformer.internal.http.Redirects;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.internal.transport.ApiWrites.Target;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.FailedWrite;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.WriteFailedException;

/**
 * Creates the exceptions of failed requests. An exception contains the API server's
 * explanation without values of the object. The log contains the complete explanation at
 * debug level, except for a Secret.
 */
final class WriteRefusals {

	private static final Logger logger = LoggerFactory.getLogger(WriteFailedException.class);

	private static final int LONGEST_MESSAGE = 4_000;

	private static final Map<String, String> VERBS = Map.of("POST", "create", "PATCH", "patch", "DELETE", "delete",
			"GET", "get");

	/**
	 * Part of the message that replaces an explanation that is too long to be read. The
	 * API server quotes the rejected object twice in such an explanation.
	 */
	private static final String CUT = " (its explanation is longer than %d KiB, because it quotes the object, and was not read; 'kubectl apply --dry-run=server' shows it)"
		.formatted(AnswerBodies.LONGEST_ERROR / 1024);

	private static final String NOT_SERVED = "NotServed";

	private final ModelJson json;

	WriteRefusals(ModelJson json) {
		this.json = json;
	}

	/**
	 * Returns the exception for an unsuccessful response.
	 * @param target the object
	 * @param response the response
	 * @param answer the body of the response
	 * @return the exception
	 */
	WriteFailedException refused(Target target, Response response, byte[] answer) {
		int code = response.code();
		ApiStatus redirect = Redirects.status(response);
		ApiStatus status = (redirect != null) ? redirect : this.json.readStatus(code, answer);
		boolean secret = target.type().name().equals("secrets");
		Refusal refusal = Refusal.of(status, this.json.readCauses(answer), secret);
		if (!secret && logger.isDebugEnabled()) {
			logger.debug("{}: HTTP {} {}: {}", target, code, refusal.reason(),
					PrintableText.of(status.message().replaceAll("\\s+", " "), LONGEST_MESSAGE));
		}
		FailedWrite write = write(target, code, refusal.reason(), refusal.refusedBy(), refusal.fields());
		String said = isCut(status, answer) ? "HTTP " + code + CUT : refusal.describe(code, secret);
		return new WriteFailedException("%s: %s".formatted(target, said), write, refusal.rejected(),
				response.headers().toMultimap(), new String(answer, StandardCharsets.UTF_8));
	}

	// The error page of a proxy does not count, because it explains nothing.
	private static boolean isCut(ApiStatus status, byte[] answer) {
		return status.message().isEmpty() && answer.length >= AnswerBodies.LONGEST_ERROR
				&& (answer[0] == '{' || ProtobufStatus.isProtobuf(answer));
	}

	/**
	 * Returns the exception for a request whose response did not arrive or cannot be
	 * read.
	 * @param target the object
	 * @param why the reason
	 * @param cause the cause
	 * @return the exception
	 */
	static WriteFailedException unanswered(Target target, String why, @Nullable Throwable cause) {
		return new WriteFailedException("%s: %s".formatted(target, why), write(target, 0, "", "", List.of()), cause);
	}

	/**
	 * Returns the exception for a write to a resource that the API server does not serve.
	 * @param answer the response, with status 404
	 * @param target the object
	 * @param advice the end of the message, which names the resource and says what to do
	 * @return the exception
	 */
	static WriteFailedException notServed(ApiException answer, Target target, String advice) {
		return new WriteFailedException("%s; %s".formatted(answer.getMessage(), advice),
				write(target, answer.getCode(), NOT_SERVED, "", List.of()), false, answer.getResponseHeaders(),
				answer.getResponseBody());
	}

	/**
	 * Returns whether a write failed because its object does not exist.
	 * @param write the write
	 * @param type the resource of the object
	 * @param key the key of the object
	 * @return {@code true} if the API server does not know the object, but serves the
	 * resource
	 */
	static boolean isMissing(FailedWrite write, ResourceType<?> type, ObjectKey key) {
		return write.status() == HttpURLConnection.HTTP_NOT_FOUND && !write.reason().equals(NOT_SERVED)
				&& write.resource().split("/", 2)[0].equals(type.name()) && write.key().equals(key);
	}

	private static FailedWrite write(Target target, int code, String reason, String by, List<String> fields) {
		return new FailedWrite(VERBS.getOrDefault(target.method(), target.method()),
				target.type().name() + target.subresource(), target.type().kind(), target.key(), code, reason, by,
				fields);
	}

}
