package dev.kubeinformer.test.internal.write;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Times of the type MicroTime. They have exactly six digits after the second. They are
 * read in any time zone and written in UTC.
 */
public final class MicroTimes {

	private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSXXX");

	private MicroTimes() {
	}

	public static String now() {
		return FORMAT.format(OffsetDateTime.now(ZoneOffset.UTC));
	}

	/**
	 * Writes a time in the server's format.
	 * @param type the resource, for messages
	 * @param parent the parent object of the field
	 * @param field its field, which may be absent
	 * @throws RequestFailure 400 if the text is not a time
	 */
	static void normalize(ResourceDefinition type, JsonNode parent, String field) {
		JsonNode time = parent.path(field);
		if (!time.isString() || !(parent instanceof ObjectNode object)) {
			return;
		}
		try {
			object.put(field,
					FORMAT.format(OffsetDateTime.parse(time.asString(), FORMAT).withOffsetSameInstant(ZoneOffset.UTC)));
		}
		catch (DateTimeParseException ex) {
			throw Statuses.badRequest(
					"%s in version \"%s\" cannot be handled as a %s: parsing time \"%s\" as ".formatted(type.kind(),
							type.version(), type.kind(), time.asString()) + "\"2006-01-02T15:04:05.000000Z07:00\"");
		}
	}

}
