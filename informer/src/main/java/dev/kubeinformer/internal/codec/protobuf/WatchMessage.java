package dev.kubeinformer.internal.codec.protobuf;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.WatchEventType;

/**
 * Event of a watch: its type, and the position of its object in the message.
 *
 * @param type the type of the event as the server sent it; {@code null} if there is none
 * @param from the index of the first byte of the object; negative if there is no object
 * @param to the index after its last byte
 */
record WatchMessage(@Nullable String type, int from, int to) {

	static WatchMessage of(byte[] event) throws MalformedMessageException {
		@Nullable String type = null;
		int from = -1;
		int to = -1;
		WireFields fields = new WireFields(event, 0, event.length);
		while (fields.next()) {
			if (fields.isBytes(1)) {
				type = fields.text();
			}
			else if (fields.isBytes(2)) {
				WireFields extension = fields.message();
				while (extension.next()) {
					if (extension.isBytes(1)) {
						from = extension.from();
						to = extension.to();
					}
				}
			}
		}
		return new WatchMessage(type, from, to);
	}

	boolean isOf(WatchEventType wanted) {
		return wanted.name().equals(this.type);
	}

}
