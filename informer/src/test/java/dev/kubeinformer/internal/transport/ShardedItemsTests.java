package dev.kubeinformer.internal.transport;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.proto.Meta.ListMeta;
import io.kubernetes.client.proto.V1.Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.protobuf.MessageDecoders;
import dev.kubeinformer.internal.codec.protobuf.ProtobufBytes;
import dev.kubeinformer.internal.codec.protobuf.ProtobufCodec;
import dev.kubeinformer.internal.codec.protobuf.ProtobufReader;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.WatchEventType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Objects of other shards in lists and events, which are dropped without being decoded.
 */
class ShardedItemsTests {

	private static final Shard SHARD = new Shard(ShardKey.UID, 0, 2);

	private static final String OWN = uid(true);

	private static final String FOREIGN = uid(false);

	/** A specification that no decoder reads. */
	private static final String MALFORMED = "7";

	private final ShardFilter shard = ShardFilter.of(SHARD);

	private final ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);

	private final JsonMappers mappers = new JsonMappers(false);

	private final JsonCodec<V1Pod> json = new JsonCodec<>(this.type, this.mappers);

	private final ProtobufCodec<V1Pod> protobuf = new ProtobufCodec<>(this.type, MessageDecoders.find(V1Pod.class),
			new ProtobufReader(this.mappers, new KnownValues(), null), this.json);

	private final Items items = new Items();

	@Test
	void malformedForeignItemsShouldBeDropped() throws IOException {
		ListHeader header = read("{\"resourceVersion\":\"41\",\"shardInfo\":{\"other\":[1],\"selector\":\"s\"}}",
				pod("a", OWN, "{}"), pod("b", FOREIGN, MALFORMED), late("c", FOREIGN, MALFORMED),
				pod("d", OWN, MALFORMED), late("e", OWN, "{}"));
		assertThat(header).isEqualTo(new ListHeader("41", "", "s"));
		assertThat(this.items.names()).containsExactly("a", "d", "e");
		assertThat(this.items.accepted.get(1).problem()).isNotNull();
		assertThat(this.items.foreign).isEqualTo(2);
	}

	@Test
	void foreignItemsShouldNotBeKeptToTheirEnd() throws IOException {
		JsonCodec<V1Pod> small = new JsonCodec<>(this.type, new JsonMappers(false, 200_000));
		String braces = "{\"a\":[\"\\\"}\\\\\",{}]},".repeat(40_000);
		ListHeader header = small.readList(
				body("{\"resourceVersion\":\"41\"}", pod("a", FOREIGN, "[" + braces + "7]"), pod("b", OWN, "{}"),
						clusterWide("c", FOREIGN, "[" + braces + "7]"), pod("d", FOREIGN, "{}"), pod("e", OWN, "{}")),
				new ShardedItems<>(this.shard, this.items));
		assertThat(header.resourceVersion()).isEqualTo("41");
		assertThat(this.items.names()).containsExactly("b", "e");
		assertThat(this.items.foreign).isEqualTo(3);
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> small.readList(body("{}", pod("a", OWN, "[" + braces + "7]")),
					new ShardedItems<>(this.shard, this.items)))
			.withMessage("An object of a list is longer than 200000 bytes");
	}

	@Test
	void listsThatAreCutOffInForeignItemsShouldNotBeWhole() throws IOException {
		String first = pod("a", FOREIGN, "{\"a\":[{}]}");
		byte[] list = body("{}", first, pod("b", FOREIGN, "{\"a\":[{}]}")).readAllBytes();
		int begin = new String(list, StandardCharsets.UTF_8).indexOf(first);
		for (int length = begin; length < list.length; length++) {
			ByteArrayInputStream cutOff = new ByteArrayInputStream(list, 0, length);
			assertThatExceptionOfType(IOException.class).as("%d bytes", length)
				.isThrownBy(() -> this.json.readList(cutOff, new ShardedItems<>(this.shard, this.items)));
		}
		this.json.readList(body("{}", first, "7", "null"), new ShardedItems<>(this.shard, this.items));
		assertThat(this.items.accepted).hasSize(2).allSatisfy((item) -> assertThat(item.problem()).isNotNull());
	}

	@Test
	void itemsWhoseIdentityIsNotPlainToSeeShouldBeDecodedAndDropped() throws IOException {
		String escaped = "\\u%04x".formatted((int) FOREIGN.charAt(0)) + FOREIGN.substring(1);
		read("{\"resourceVersion\":\"41\",\"shardInfo\":7}", pod("a", escaped, "{}"), pod("b", escaped, MALFORMED),
				pod("c", OWN, "{}"));
		assertThat(this.items.names()).containsExactly("c");
		assertThat(this.items.foreign).isEqualTo(2);
	}

	@Test
	void protobufItemsShouldBeDropped() throws IOException {
		// The API server's own message has a field that the client's does not know.
		byte[] selector = SHARD.selector().getBytes(StandardCharsets.UTF_8);
		ByteArrayBuilder metadata = new ByteArrayBuilder()
			.add(ListMeta.newBuilder().setResourceVersion("41").build().toByteArray())
			.field(5, new ByteArrayBuilder().field(1, selector).bytes());
		byte[] list = new ByteArrayBuilder().field(1, metadata.bytes())
			.field(2, message("a", OWN))
			.field(2, malformed("b", FOREIGN))
			.field(2, message("c", FOREIGN))
			.field(2, malformed("d", OWN))
			.bytes();
		ListHeader header = this.protobuf.readList(new ByteArrayInputStream(ProtobufBytes.envelope("PodList", list)),
				new ShardedItems<>(this.shard, this.items));
		assertThat(header).isEqualTo(new ListHeader("41", "", SHARD.selector()));
		assertThat(this.items.names()).containsExactly("a", "d");
		assertThat(this.items.accepted.get(1).problem()).isNotNull();
		assertThat(this.items.foreign).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(value = WatchEventType.class, names = { "ADDED", "MODIFIED", "DELETED" })
	void malformedForeignEventsShouldBeKnownByTheirIdentity(WatchEventType type) throws MalformedResponseException {
		WatchStream.Reading<V1Pod> text = new WatchStream.Reading<>(this.json, this.shard);
		WatchStream.Reading<V1Pod> binary = new WatchStream.Reading<>(this.protobuf, this.shard);
		ObjectMetadata identity = new ObjectMetadata("blog", "a", FOREIGN, "1");
		String spaced = "{ \"type\": \"%s\", \"object\": %s }".formatted(type, pod("a", FOREIGN, MALFORMED));
		for (WatchFrame<V1Pod> frame : List.of(text.read(event(type, pod("a", FOREIGN, MALFORMED)), null),
				text.read(spaced.getBytes(StandardCharsets.UTF_8), null),
				binary.read(ProtobufBytes.event(type.name(), ProtobufBytes.envelope("Pod", malformed("a", FOREIGN))),
						null))) {
			assertThat(frame).isEqualTo(WatchFrame.foreign(type, identity));
			assertThat(frame.object().isForeign()).isTrue();
			assertThat(frame.resourceVersion()).isEqualTo("1");
		}
	}

	@Test
	void ownEventsShouldBeRead() throws MalformedResponseException {
		WatchStream.Reading<V1Pod> text = new WatchStream.Reading<>(this.json, this.shard);
		WatchStream.Reading<V1Pod> binary = new WatchStream.Reading<>(this.protobuf, this.shard);
		for (WatchFrame<V1Pod> frame : List.of(text.read(event(WatchEventType.ADDED, pod("a", OWN, "{}")), null),
				binary.read(ProtobufBytes.event("ADDED", ProtobufBytes.envelope("Pod", message("a", OWN))), null))) {
			assertThat(frame.object().isForeign()).isFalse();
			assertThat(frame.object().object().getMetadata().getUid()).isEqualTo(OWN);
		}
		WatchFrame<V1Pod> malformed = text.read(event(WatchEventType.ADDED, pod("a", OWN, MALFORMED)), null);
		assertThat(malformed.object().isForeign()).isFalse();
		assertThat(malformed.object().problem()).isNotNull();
	}

	private ListHeader read(String metadata, String... pods) throws IOException {
		return this.json.readList(body(metadata, pods), new ShardedItems<>(this.shard, this.items));
	}

	private static ByteArrayInputStream body(String metadata, String... pods) {
		String list = "{\"kind\":\"PodList\",\"metadata\":%s,\"items\":[%s]}".formatted(metadata,
				String.join(",", pods));
		return new ByteArrayInputStream(list.getBytes(StandardCharsets.UTF_8));
	}

	private static byte[] event(WatchEventType type, String object) {
		return "{\"type\":\"%s\",\"object\":%s}".formatted(type, object).getBytes(StandardCharsets.UTF_8);
	}

	private static String pod(String name, String uid, String spec) {
		return "{\"metadata\":%s,\"spec\":%s}".formatted(metadata(name, uid), spec);
	}

	private static String late(String name, String uid, String spec) {
		return "{\"spec\":%s,\"metadata\":%s}".formatted(spec, metadata(name, uid));
	}

	private static String clusterWide(String name, String uid, String spec) {
		return pod(name, uid, spec).replace("\"namespace\":\"blog\",", "");
	}

	private static String metadata(String name, String uid) {
		return "{\"namespace\":\"blog\",\"name\":\"%s\",\"uid\":\"%s\",\"resourceVersion\":\"1\"}".formatted(name, uid);
	}

	private static byte[] message(String name, String uid) {
		Pod.Builder pod = Pod.newBuilder();
		pod.getMetadataBuilder().setNamespace("blog").setName(name).setUid(uid).setResourceVersion("1");
		return pod.build().toByteArray();
	}

	private static byte[] malformed(String name, String uid) {
		return new ByteArrayBuilder().add(message(name, uid)).field(2, new byte[] { (byte) 0x80 }).bytes();
	}

	private static String uid(boolean own) {
		return Stream.generate(() -> UUID.randomUUID().toString())
			.filter((uid) -> SHARD.contains("blog", uid) == own)
			.findFirst()
			.orElseThrow();
	}

	/** Remaining items of a list. */
	private static final class Items implements ListItems<V1Pod> {

		private final List<DecodedObject<V1Pod>> accepted = new ArrayList<>();

		private int foreign;

		@Override
		public void accept(DecodedObject<V1Pod> item) {
			this.accepted.add(item);
		}

		@Override
		public void foreign() {
			this.foreign++;
		}

		private List<String> names() {
			return this.accepted.stream().map((each) -> each.metadata().name()).toList();
		}

	}

	/**
	 * Messages with fields that the client's classes do not know.
	 */
	private static final class ByteArrayBuilder {

		private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		ByteArrayBuilder add(byte[] more) {
			this.bytes.writeBytes(more);
			return this;
		}

		ByteArrayBuilder field(int number, byte[] value) {
			this.bytes.write(number << 3 | 2);
			int length = value.length;
			for (; length > 0x7f; length >>>= 7) {
				this.bytes.write(length & 0x7f | 0x80);
			}
			this.bytes.write(length);
			return add(value);
		}

		byte[] bytes() {
			return this.bytes.toByteArray();
		}

	}

}
