package dev.kubeinformer.test.internal.write;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.StoredSchema;
import dev.kubeinformer.test.internal.resource.Subresources;
import dev.kubeinformer.test.internal.schema.CustomSchema;
import dev.kubeinformer.test.internal.schema.DefinitionCheck;
import dev.kubeinformer.test.internal.schema.FieldError;
import dev.kubeinformer.test.internal.schema.MalformedObject;
import dev.kubeinformer.test.internal.schema.RuleEngine;
import dev.kubeinformer.test.internal.status.Rejection;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Enforces the schemas of custom resources on writes.
 */
final class CustomObjects {

	private CustomObjects() {
	}

	/**
	 * Removes unknown fields of an object that a client sent, and sets its defaults.
	 * @param type its resource
	 * @param object the object, which is changed
	 * @param options the options of the write
	 * @param patched {@code true} for the result of a patch
	 * @throws RequestFailure 400 or 422 if it cannot be decoded
	 */
	static void decode(ResourceDefinition type, ObjectNode object, WriteOptions options, boolean patched) {
		StoredSchema schema = type.traits().schema();
		if (schema == null || schema.served().isOpen()) {
			return;
		}
		if (!options.apply()) {
			String given = (patched) ? CustomSchema.text(object) : "";
			try {
				List<String> complaints = options.fields().report(schema.served().prune(object));
				if (!complaints.isEmpty()) {
					throw undecodable(type, given, "strict decoding error: " + String.join(", ", complaints));
				}
			}
			catch (MalformedObject ex) {
				throw undecodable(type, given, ex.words());
			}
		}
		schema.served().addDefaults(object);
	}

	private static RequestFailure undecodable(ResourceDefinition type, String patched, String why) {
		if (patched.isEmpty()) {
			return Statuses.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
					+ type.kind() + ": " + why);
		}
		return Rejection.ofPatch(FieldError.invalid("patch", patched, why).message());
	}

	/**
	 * Validates an object, and changes it to the form that is stored.
	 * @param type its resource
	 * @param object the object, which is changed
	 * @param before its state before an update, or {@code null} for a new one
	 * @param options the options of the write
	 * @param found the rejections of its metadata
	 * @throws RequestFailure 422 if it is not valid
	 */
	static void check(ResourceDefinition type, ObjectNode object, @Nullable ObjectNode before, WriteOptions options,
			List<Rejection> found) {
		StoredSchema schema = type.traits().schema();
		List<Rejection> rejections = new ArrayList<>(found);
		if (schema != null && options.overHttp()) {
			ObjectNode whole = typed(type, object);
			ObjectNode old = (before != null) ? typed(type, before) : null;
			boolean status = Subresources.STATUS.equals(options.subresource());
			List<FieldError> errors = (status && old != null) ? schema.served().validateStatus(whole, old)
					: schema.served().validate(whole, old);
			errors.forEach((error) -> rejections.add(rejection(error)));
		}
		if (!rejections.isEmpty()) {
			throw Rejection.of(type, object.path("metadata").path("name").asString(""),
					rejections.toArray(Rejection[]::new));
		}
		if (schema != null && !schema.served().isOpen()) {
			if (options.apply()) {
				// Server-side apply leaves unknown fields in the object. They are removed
				// before the object is stored.
				schema.served().prune(object);
			}
			if (schema.stored() != schema.served()) {
				schema.stored().prune(object);
			}
			CustomSchema.canonicalize(object);
		}
	}

	/**
	 * Checks a definition.
	 * @param type the resource of definitions
	 * @param definition the definition
	 * @param before its state before an update, or {@code null} for a new one
	 * @param rules compiles its rules
	 * @param fields accepts the warnings
	 * @throws RequestFailure 422 if it is not valid
	 */
	static void checkDefinition(ResourceDefinition type, ObjectNode definition, @Nullable ObjectNode before,
			RuleEngine rules, FieldChecks fields) {
		if (before != null && definition.path("spec").equals(before.path("spec"))) {
			return;
		}
		List<FieldError> errors = DefinitionCheck.check(definition, before, rules);
		if (!errors.isEmpty()) {
			throw Rejection.of(type, definition.path("metadata").path("name").asString(""),
					errors.stream().map(CustomObjects::rejection).toArray(Rejection[]::new));
		}
		DefinitionCheck.unknownFormats(definition)
			.forEach((format) -> fields.warnings().accept("unrecognized format \"" + format + "\""));
	}

	private static Rejection rejection(FieldError error) {
		return new Rejection(error.field(), error.reason(), error.message());
	}

	private static ObjectNode typed(ResourceDefinition type, ObjectNode object) {
		ObjectNode typed = object.objectNode().put("apiVersion", type.groupVersion()).put("kind", type.kind());
		object.properties().forEach((field) -> {
			if (!typed.has(field.getKey())) {
				typed.set(field.getKey(), field.getValue());
			}
		});
		return typed;
	}

}
