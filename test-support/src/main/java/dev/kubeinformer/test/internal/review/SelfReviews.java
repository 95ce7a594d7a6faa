package dev.kubeinformer.test.internal.review;

import java.nio.ByteBuffer;

import com.google.protobuf.InvalidProtocolBufferException;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1Authorization;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.access.User;
import dev.kubeinformer.test.internal.http.Bodies;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.request.MediaTypes;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Responds to SelfSubjectReviews and SelfSubjectAccessReviews, with which users request
 * their own identity and permissions.
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
		ObjectNode review = (MediaTypes.PROTOBUF.equals(Bodies.mediaType(exchange))) ? fromProtobuf(exchange)
				: Bodies.object(exchange, "SelfSubjectReview");
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

	// Reads a review in protobuf, as kubectl sends it. No other requests may have
	// protobuf bodies.
	private static ObjectNode fromProtobuf(Exchange exchange) {
		if (IDENTITY.equals(exchange.recorded().path())) {
			return Json.object().put("kind", "SelfSubjectReview").put("apiVersion", "authentication.k8s.io/v1");
		}
		ObjectNode review = Json.object()
			.put("kind", "SelfSubjectAccessReview")
			.put("apiVersion", "authorization.k8s.io/v1");
		ObjectNode spec = review.putObject("spec");
		ByteBuffer body = ByteBuffer.wrap(exchange.body());
		try {
			// The envelope follows the four magic bytes of protobuf.
			Runtime.Unknown envelope = Runtime.Unknown.parseFrom(body.position(Math.min(4, body.limit())));
			V1Authorization.SelfSubjectAccessReviewSpec asked = V1Authorization.SelfSubjectAccessReview
				.parseFrom(envelope.getRaw())
				.getSpec();
			if (asked.hasResourceAttributes()) {
				ObjectNode attributes = spec.putObject("resourceAttributes");
				asked.getResourceAttributes()
					.getAllFields()
					.forEach((field, value) -> attributes.put(field.getName(), value.toString()));
			}
		}
		catch (InvalidProtocolBufferException ex) {
			throw Statuses.badRequest("the object provided is not the protobuf that is expected");
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
