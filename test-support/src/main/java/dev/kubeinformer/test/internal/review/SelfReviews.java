package dev.kubeinformer.test.internal.review;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.access.User;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * What users may ask about themselves: who they are and what they may do.
 */
public final class SelfReviews {

	private static final String ACCESS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

	private static final String IDENTITY = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

	private SelfReviews() {
	}

	public static boolean isAt(String path) {
		return ACCESS.equals(path) || IDENTITY.equals(path);
	}

	public static void answer(Exchange exchange, @Nullable User user) {
		if (!"POST".equals(exchange.recorded().method())) {
			throw Statuses.methodNotAllowed("");
		}
		byte[] body = exchange.body();
		ObjectNode review = (ProtobufMessage.isEnvelope(body)) ? fromProtobuf(exchange.recorded().path(), body)
				: Json.readObject(body);
		if (ACCESS.equals(exchange.recorded().path())) {
			review.putObject("status").put("allowed", isAllowed(review.path("spec"), user));
		}
		else {
			review.putObject("status")
				.putObject("userInfo")
				.put("username", (user != null) ? user.name() : "system:anonymous");
		}
		exchange.json(201, review);
	}

	private static ObjectNode fromProtobuf(String path, byte[] body) {
		if (!ACCESS.equals(path)) {
			return Json.object().put("kind", "SelfSubjectReview").put("apiVersion", "authentication.k8s.io/v1");
		}
		ObjectNode review = Json.object()
			.put("kind", "SelfSubjectAccessReview")
			.put("apiVersion", "authorization.k8s.io/v1");
		ObjectNode spec = review.putObject("spec");
		// The field numbers are those of k8s.io.api.authorization.v1.
		ProtobufMessage asked = ProtobufMessage.unwrap(body).message(2);
		if (asked.has(1)) {
			ProtobufMessage resource = asked.message(1);
			spec.putObject("resourceAttributes")
				.put("namespace", resource.text(1))
				.put("verb", resource.text(2))
				.put("group", resource.text(3))
				.put("version", resource.text(4))
				.put("resource", resource.text(5))
				.put("subresource", resource.text(6))
				.put("name", resource.text(7));
		}
		return review;
	}

	private static boolean isAllowed(JsonNode spec, @Nullable User user) {
		if (user == null) {
			return true;
		}
		JsonNode asked = spec.path("resourceAttributes");
		if (!asked.isObject()) {
			return user.mayAll();
		}
		GroupResource resource = new GroupResource(asked.path("group").asString(""),
				asked.path("resource").asString(""));
		return user.may(asked.path("verb").asString(""), resource, Json.text(asked, "subresource"),
				Json.text(asked, "namespace"));
	}

}
