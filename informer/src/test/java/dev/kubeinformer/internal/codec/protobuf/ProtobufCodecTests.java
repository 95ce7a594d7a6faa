package dev.kubeinformer.internal.codec.protobuf;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import com.google.protobuf.ByteString;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Meta.ListMeta;
import io.kubernetes.client.proto.Meta.ObjectMeta;
import io.kubernetes.client.proto.Meta.Status;
import io.kubernetes.client.proto.Meta.StatusCause;
import io.kubernetes.client.proto.Meta.StatusDetails;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1.Pod;
import io.kubernetes.client.proto.V1.PodList;
import io.kubernetes.client.proto.V1.PodSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.MalformedProtobufException;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;
import dev.kubeinformer.internal.codec.pool.PoolBudget;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.WatchEventType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Lists and events in protobuf, whatever comes. How objects are decoded is a matter of
 * the decoders.
 */
class ProtobufCodecTests {

	private static final int LARGEST = 1024 * 1024;

	private static final byte[] GARBAGE = { (byte) 0x80 };

	private final ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);

	private final ProtobufCodec<V1Pod> codec = new ProtobufCodec<>(this.type, ProtobufCodecTests::decode,
			new JsonCodec<>(this.type, new JsonMappers(false)), LARGEST);

	private final List<DecodedObject<V1Pod>> items = new ArrayList<>();

	@Test
	void listIsReadItemByItem() throws IOException {
		ListHeader header = read(list("41", "next", ProtobufBytes.pod("a", "1"), ProtobufBytes.pod("b", "2")));
		assertThat(header).isEqualTo(new ListHeader("41", "next"));
		assertThat(this.items).extracting(DecodedObject::metadata)
			.containsExactly(new ObjectMetadata("blog", "a", "uid-a", "1"),
					new ObjectMetadata("blog", "b", "uid-b", "2"));
		assertThat(this.items.get(0).object().getKind()).isEqualTo("Pod");
		assertThat(this.items.get(0).object().getApiVersion()).isEqualTo("v1");
		assertThat(this.items.get(0).problem()).isNull();
	}

	@Test
	void emptyListIsAList() throws IOException {
		assertThat(read(list("41", ""))).isEqualTo(new ListHeader("41", ""));
		assertThat(this.items).isEmpty();
	}

	@Test
	void itemIsGivenOnBeforeTheNextOneHasCome() throws IOException {
		byte[] body = list("41", "", ProtobufBytes.pod("a", "1"), ProtobufBytes.pod("b", "2"));
		int second = new String(body, StandardCharsets.ISO_8859_1).lastIndexOf("uid-b");
		InputStream broken = new FilterInputStream(new ByteArrayInputStream(body, 0, second)) {

			@Override
			public int read(byte[] buffer, int offset, int length) throws IOException {
				int read = super.read(buffer, offset, length);
				if (read < 0) {
					throw new SocketException("reset");
				}
				return read;
			}

		};
		assertThatExceptionOfType(SocketException.class).isThrownBy(() -> this.codec.readList(broken, this.items::add));
		assertThat(this.items).extracting((item) -> item.metadata().name()).containsExactly("a");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 1000, 70_000 })
	void listMayComeInAnyPieces(int piece) throws IOException {
		String large = "x".repeat(300_000);
		Pod first = ProtobufBytes.pod("a", "1")
			.toBuilder()
			.setMetadata(ProtobufBytes.pod("a", "1").getMetadata().toBuilder().putLabels("large", large))
			.build();
		byte[] body = list("41", "", first, ProtobufBytes.pod("b", "2"), first, ProtobufBytes.pod("c", "3"));
		Random random = new Random(piece);
		InputStream pieces = new FilterInputStream(new ByteArrayInputStream(body)) {

			@Override
			public int read(byte[] buffer, int offset, int length) throws IOException {
				return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(piece)));
			}

		};
		this.codec.readList(pieces, this.items::add);
		assertThat(this.items).extracting((item) -> item.metadata().name()).containsExactly("a", "b", "a", "c");
		assertThat(this.items.get(2).object().getMetadata().getLabels().get("large")).isEqualTo(large);
	}

	@ParameterizedTest
	@CsvSource({ "Table, its kind is 'Table'", "Status, its kind is 'Status'", "NodeList, its kind is 'NodeList'",
			"'', its kind is ''" })
	void answerOfAnotherKindIsRefused(String kind, String why) {
		byte[] body = ProtobufBytes.envelope(kind, PodList.newBuilder().addItems(ProtobufBytes.pod("a", "1")).build());
		assertThatExceptionOfType(MalformedProtobufException.class).isThrownBy(() -> read(body))
			.withMessage("The response is not a list of 'pods': " + why);
		assertThat(this.items).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "k8s", "<html>maintenance</html>", "{\"kind\":\"PodList\",\"items\":[]}" })
	void answerThatIsNoProtobufIsRefused(String body) {
		assertThatExceptionOfType(MalformedProtobufException.class)
			.isThrownBy(() -> read(body.getBytes(StandardCharsets.UTF_8)))
			.withMessage("The response is not a list of 'pods': it is not in an envelope of Kubernetes");
	}

	@Test
	void itemThatIsTooLargeIsRefusedBeforeItIsAllInMemory() {
		byte[] body = list("41", "", ProtobufBytes.pod("a", "1"), ProtobufBytes.pod("b".repeat(LARGEST), "2"));
		assertThatExceptionOfType(MalformedProtobufException.class).isThrownBy(() -> read(body))
			.withRootCauseInstanceOf(MalformedMessageException.class);
		assertThat(this.items).hasSize(1);
	}

	@Test
	void envelopeWithoutAListIsRefused() {
		assertThatExceptionOfType(MalformedProtobufException.class)
			.isThrownBy(
					() -> read(ProtobufBytes.envelope(Unknown.newBuilder().setTypeMeta(TypeMeta.newBuilder()).build())))
			.withMessage("The response is not a list of 'pods': it has no items");
	}

	@Test
	void compressedEnvelopeIsRefused() {
		byte[] body = ProtobufBytes.envelope(Unknown.newBuilder()
			.setTypeMeta(TypeMeta.newBuilder().setKind("PodList"))
			.setRaw(ByteString.EMPTY)
			.setContentEncoding("gzip")
			.build());
		assertThatExceptionOfType(MalformedProtobufException.class).isThrownBy(() -> read(body));
	}

	@Test
	void listThatIsCutOffAnywhereIsMalformed() {
		byte[] whole = list("41", "next", ProtobufBytes.pod("a", "1"), ProtobufBytes.pod("b", "2"));
		// The fields after the list in the envelope are empty.
		int raw = whole.length - 4;
		assertThat(IntStream.range(0, raw)).allSatisfy((length) -> {
			byte[] body = Arrays.copyOf(whole, length);
			assertThatExceptionOfType(MalformedProtobufException.class).isThrownBy(() -> read(body));
		});
	}

	@ParameterizedTest
	@ValueSource(longs = { 100, 1 << 20, Integer.MAX_VALUE - 20, Integer.MAX_VALUE, 1L << 31, 1L << 40, Long.MAX_VALUE,
			-1, Long.MIN_VALUE })
	void lengthThatLiesIsMalformedAndCostsNoMemory(long length) {
		byte[] item = ProtobufBytes.pod("a", "1").toByteArray();
		byte[] type = TypeMeta.newBuilder().setKind("PodList").build().toByteArray();
		byte[] lyingItem = ProtobufBytes.join(new byte[] { 'k', '8', 's', 0 }, ProtobufBytes.field(1, type),
				ProtobufBytes.field(2, ProtobufBytes.field(2, length, item)));
		byte[] lyingList = ProtobufBytes.join(new byte[] { 'k', '8', 's', 0 }, ProtobufBytes.field(1, type),
				ProtobufBytes.field(2, length, ProtobufBytes.field(2, length, item)));
		byte[] lyingType = ProtobufBytes.join(new byte[] { 'k', '8', 's', 0 }, ProtobufBytes.field(1, length, type));
		byte[] lyingUnknown = ProtobufBytes.join(new byte[] { 'k', '8', 's', 0 }, ProtobufBytes.field(1, type),
				ProtobufBytes.field(9, length, item));
		assertThat(List.of(lyingItem, lyingList, lyingType, lyingUnknown)).allSatisfy(
				(body) -> assertThatExceptionOfType(MalformedProtobufException.class).isThrownBy(() -> read(body)));
	}

	@Test
	void damagedListIsReadOrMalformedButNothingElse() {
		byte[] whole = list("41", "next", ProtobufBytes.pod("a", "1"), ProtobufBytes.pod("b", "2"),
				ProtobufBytes.pod("c", "3"));
		Random random = new Random(42);
		int malformed = 0;
		for (int i = 0; i < 20_000; i++) {
			byte[] body = whole.clone();
			for (int damage = 1 + random.nextInt(3); damage > 0; damage--) {
				body[random.nextInt(body.length)] = (byte) random.nextInt(256);
			}
			try {
				read(body);
			}
			catch (MalformedProtobufException ex) {
				malformed++;
			}
			catch (IOException ex) {
				throw new AssertionError(ex);
			}
		}
		assertThat(malformed).isBetween(1_000, 19_000);
	}

	@Test
	void itemThatCannotBeReadIsKnownByItsIdentityAndCostsNoOther() throws IOException {
		byte[] broken = ProtobufBytes.join(
				ProtobufBytes.pod("broken", "2").toBuilder().clearSpec().build().toByteArray(),
				ProtobufBytes.field(2, GARBAGE));
		byte[] list = ProtobufBytes.join(
				ProtobufBytes.field(1, ListMeta.newBuilder().setResourceVersion("41").build().toByteArray()),
				ProtobufBytes.field(2, ProtobufBytes.pod("a", "1").toByteArray()), ProtobufBytes.field(2, broken),
				ProtobufBytes.field(2, ProtobufBytes.pod("c", "3").toByteArray()));
		read(ProtobufBytes.envelope("PodList", list));
		assertThat(this.items).extracting((item) -> item.metadata().name()).containsExactly("a", "broken", "c");
		assertThat(this.items.get(1).object()).isNull();
		assertThat(this.items.get(1).metadata()).isEqualTo(new ObjectMetadata("blog", "broken", "uid-broken", "2"));
		assertThat(this.items.get(1).problem()).isEqualTo("the field 'spec' cannot be read: broken");
		assertThat(this.items.get(2).object()).isNotNull();
	}

	@Test
	void itemThatCannotBeReadKeepsItsTies() throws IOException {
		Pod pod = ProtobufBytes.pod("broken", "2").toBuilder().clearSpec().build();
		ObjectMeta metadata = pod.getMetadata()
			.toBuilder()
			.setDeletionTimestamp(Meta.Time.newBuilder().setSeconds(1_000))
			.addFinalizers("a")
			.addFinalizers("b")
			.addOwnerReferences(Meta.OwnerReference.newBuilder()
				.setApiVersion("apps/v1")
				.setKind("ReplicaSet")
				.setName("rs")
				.setUid("u7")
				.setController(true))
			.build();
		read(ProtobufBytes.envelope("PodList", ProtobufBytes.field(2, ProtobufBytes
			.join(pod.toBuilder().setMetadata(metadata).build().toByteArray(), ProtobufBytes.field(2, GARBAGE)))));
		V1ObjectMeta remains = this.items.get(0).remains();
		assertThat(remains.getDeletionTimestamp()).isEqualTo("1970-01-01T00:16:40Z");
		assertThat(remains.getFinalizers()).containsExactly("a", "b");
		assertThat(remains.getOwnerReferences()).containsExactly(
				new V1OwnerReference().apiVersion("apps/v1").kind("ReplicaSet").name("rs").uid("u7").controller(true));
	}

	@Test
	void nextListShouldUseAllRoomOfThePoolAgain() throws IOException {
		PoolBudget budget = new PoolBudget(Long.MAX_VALUE);
		JsonMappers mappers = new JsonMappers(false);
		ProtobufReader reader = new ProtobufReader(mappers, new KnownValues(1000),
				new PartPool(PartPool.MOST_BYTES, () -> 0, budget.share()));
		ProtobufCodec<V1Pod> pooled = new ProtobufCodec<>(this.type, MessageDecoders.find(V1Pod.class), reader,
				new JsonCodec<>(this.type, mappers));
		Pod[] pods = IntStream.range(0, 6000)
			.mapToObj((i) -> ProtobufBytes.pod("p" + i, "1")
				.toBuilder()
				.setSpec(PodSpec.newBuilder().setHostname(i + "-".repeat(200)))
				.build())
			.toArray(Pod[]::new);
		readPages(pooled, pods);
		long whole = budget.reserved();
		pooled.readList(new ByteArrayInputStream(list("41", "", ProtobufBytes.pod("last", "1"))), (item) -> {
		});
		assertThat(budget.reserved()).isLessThan(whole / 2);
		readPages(pooled, pods);
		assertThat(budget.reserved()).isGreaterThan(whole / 2);
	}

	private static void readPages(ProtobufCodec<V1Pod> codec, Pod... pods) throws IOException {
		for (int i = 0; i < 12; i++) {
			codec.readList(new ByteArrayInputStream(list("41", "next", pods)), (item) -> {
			});
		}
	}

	@Test
	void decoderThatFailsCostsItsObjectOnly() throws IOException {
		ProtobufCodec<V1Pod> failing = new ProtobufCodec<>(this.type, (bytes, from, to) -> {
			throw new IllegalStateException("secret");
		}, new JsonCodec<>(this.type, new JsonMappers(false)), LARGEST);
		failing.readList(new ByteArrayInputStream(list("41", "", ProtobufBytes.pod("a", "1"))), this.items::add);
		assertThat(this.items.get(0).metadata().name()).isEqualTo("a");
		assertThat(this.items.get(0).problem())
			.isEqualTo("it cannot be read because of java.lang.IllegalStateException");
	}

	@Test
	void modelsOfAnotherVersionAreReportedAndNoObjectIsToBlame() {
		ProtobufCodec<V1Pod> old = new ProtobufCodec<>(this.type, (bytes, from, to) -> {
			throw new NoSuchMethodError("'void io.kubernetes.client.openapi.models.V1PodSpec.setHostnameOverride'");
		}, new JsonCodec<>(this.type, new JsonMappers(false)), LARGEST);
		List<String> reported = new ArrayList<>();
		old.observeMissingModels(reported::add);
		assertThatExceptionOfType(MalformedProtobufException.class)
			.isThrownBy(() -> old.readList(new ByteArrayInputStream(list("41", "", ProtobufBytes.pod("a", "1"))),
					this.items::add))
			.withMessageContaining("setHostnameOverride");
		assertThat(this.items).isEmpty();
		assertThat(reported).singleElement()
			.asString()
			.contains("models of client-java on the class path", "setHostnameOverride");
	}

	@Test
	void itemWithoutANameIsUnreadable() throws IOException {
		read(list("41", "", Pod.newBuilder().setMetadata(ObjectMeta.newBuilder().setName("")).build()));
		assertThat(this.items.get(0).object()).isNull();
		assertThat(this.items.get(0).problem()).isEqualTo("the field 'metadata.name' is missing");
	}

	@Test
	void versionOfAListIsReadWhateverItsItemsAre() throws IOException {
		byte[] list = ProtobufBytes.join(
				ProtobufBytes.field(1, ListMeta.newBuilder().setResourceVersion("41").build().toByteArray()),
				ProtobufBytes.field(2, GARBAGE));
		assertThat(this.codec
			.readListVersion(new ByteArrayInputStream(ProtobufBytes.envelope("PartialObjectMetadataList", list))))
			.isEqualTo("41");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ADDED", "MODIFIED", "DELETED" })
	void eventOfAnObjectIsRead(WatchEventType eventType) throws IOException {
		WatchFrame<V1Pod> frame = this.codec.readEvent(
				ProtobufBytes.event(eventType.name(), ProtobufBytes.envelope("Pod", ProtobufBytes.pod("a", "42"))));
		assertThat(frame.type()).isEqualTo(eventType);
		assertThat(frame.resourceVersion()).isEqualTo("42");
		assertThat(frame.object().object().getMetadata().getLabels()).containsEntry("app", "a");
		assertThat(frame.object().object().getKind()).isEqualTo("Pod");
		assertThat(frame.initialEventsEnd()).isFalse();
		assertThat(frame.status()).isNull();
	}

	@Test
	void eventOfAnObjectThatCannotBeReadHasItsIdentity() throws IOException {
		byte[] broken = ProtobufBytes.join(ProtobufBytes.pod("a", "42").toBuilder().clearSpec().build().toByteArray(),
				ProtobufBytes.field(2, GARBAGE));
		WatchFrame<V1Pod> frame = this.codec
			.readEvent(ProtobufBytes.event("MODIFIED", ProtobufBytes.envelope("Pod", broken)));
		assertThat(frame.object().object()).isNull();
		assertThat(frame.resourceVersion()).isEqualTo("42");
		assertThat(frame.object().metadata().name()).isEqualTo("a");
	}

	@ParameterizedTest
	@CsvSource({ "true, true", "false, false", "'', false" })
	void bookmarkMovesTheVersionAndMayEndTheInitialEvents(String value, boolean end) throws IOException {
		ObjectMeta.Builder metadata = ObjectMeta.newBuilder().setResourceVersion("50").setName("").setUid("");
		if (!value.isEmpty()) {
			metadata.putAnnotations("k8s.io/initial-events-end", value);
		}
		WatchFrame<V1Pod> frame = this.codec.readEvent(ProtobufBytes.event("BOOKMARK",
				ProtobufBytes.envelope("Pod", Pod.newBuilder().setMetadata(metadata).build())));
		assertThat(frame.type()).isEqualTo(WatchEventType.BOOKMARK);
		assertThat(frame.resourceVersion()).isEqualTo("50");
		assertThat(frame.initialEventsEnd()).isEqualTo(end);
		assertThat(frame.object()).isNull();
	}

	@Test
	void errorHasItsStatus() throws IOException {
		WatchFrame<V1Pod> frame = this.codec
			.readEvent(ProtobufBytes.event("ERROR", ProtobufBytes.envelope("Status", status())));
		assertThat(frame.type()).isEqualTo(WatchEventType.ERROR);
		assertThat(frame.status()).isEqualTo(new ApiStatus(504, "Timeout", "Timeout: Too large resource version: 9",
				"ResourceVersionTooLarge:Too large resource version,Other:", 7));
	}

	@Test
	void errorOfAnotherKindIsAnInternalError() throws IOException {
		WatchFrame<V1Pod> frame = this.codec
			.readEvent(ProtobufBytes.event("ERROR", ProtobufBytes.envelope("Pod", ProtobufBytes.pod("a", "1"))));
		assertThat(frame.status()).isEqualTo(new ApiStatus(500, "", "", "", null));
	}

	@Test
	void errorBodyIsRead() {
		byte[] body = ProtobufBytes.envelope("Status", status().toBuilder().clearCode().build());
		assertThat(ProtobufStatus.isProtobuf(body)).isTrue();
		assertThat(ProtobufStatus.read(body, 410).code()).isEqualTo(410);
		assertThat(ProtobufStatus.read(body, 410).reason()).isEqualTo("Timeout");
		assertThat(ProtobufStatus.isProtobuf("{\"kind\":\"Status\"}".getBytes(StandardCharsets.UTF_8))).isFalse();
		assertThat(IntStream.range(4, body.length)).allSatisfy(
				(length) -> assertThat(ProtobufStatus.read(Arrays.copyOf(body, length), 410).code()).isEqualTo(410));
	}

	@Test
	void errorBodyIsTranslatedWhole() {
		Status status = Status.newBuilder()
			.setStatus("Failure")
			.setMessage("m")
			.setReason("Invalid")
			.setCode(422)
			.setDetails(StatusDetails.newBuilder()
				.setName("n")
				.setGroup("g")
				.setKind("k")
				.setUid("u")
				.setRetryAfterSeconds(7)
				.addCauses(StatusCause.newBuilder().setReason("r").setMessage("c").setField("spec.a"))
				.addCauses(StatusCause.newBuilder().setReason("")))
			.build();
		byte[] body = ProtobufBytes.envelope("Status", status);
		Map<String, Object> details = Map.of("name", "n", "group", "g", "kind", "k", "uid", "u", "retryAfterSeconds",
				7L, "causes", List.of(Map.of("reason", "r", "message", "c", "field", "spec.a"), Map.of()));
		assertThat(ProtobufStatus.tree(body)).isEqualTo(Map.of("kind", "Status", "apiVersion", "v1", "metadata",
				Map.of(), "status", "Failure", "message", "m", "reason", "Invalid", "code", 422L, "details", details));
		assertThat(ProtobufStatus.tree(Arrays.copyOf(body, body.length - 20))).isNull();
		assertThat(ProtobufStatus.tree("{}".getBytes(StandardCharsets.UTF_8))).isNull();
		assertThat(ProtobufStatus.tree(ProtobufBytes.envelope("Pod", ProtobufBytes.pod("a", "1")))).isNull();
	}

	@Test
	void objectInAnEventMayBeJson() throws IOException {
		byte[] json = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\"}}"
			.getBytes(StandardCharsets.UTF_8);
		byte[] declared = ProtobufBytes.envelope(Unknown.newBuilder()
			.setTypeMeta(TypeMeta.newBuilder().setKind("Pod"))
			.setRaw(ByteString.copyFrom(json))
			.setContentType("application/json")
			.build());
		for (byte[] object : List.of(json, declared)) {
			WatchFrame<V1Pod> frame = this.codec.readEvent(ProtobufBytes.event("ADDED", object));
			assertThat(frame.object().metadata().name()).isEqualTo("a");
			assertThat(frame.resourceVersion()).isEqualTo("7");
		}
	}

	@Test
	void objectOfAnotherKindIsRefused() {
		assertThatExceptionOfType(MalformedProtobufException.class)
			.isThrownBy(() -> this.codec
				.readEvent(ProtobufBytes.event("ADDED", ProtobufBytes.envelope("Node", ProtobufBytes.pod("n", "99")))))
			.withMessage("An object of kind 'Node' came in the watch on 'pods'");
	}

	@Test
	void whatIsNoEventIsMalformed() {
		byte[] object = ProtobufBytes.envelope("Pod", ProtobufBytes.pod("a", "1"));
		byte[] whole = ProtobufBytes.event("ADDED", object);
		List<byte[]> events = new ArrayList<>(List.of(new byte[0], "garbage".getBytes(StandardCharsets.UTF_8),
				ProtobufBytes.event("MOVED", object), ProtobufBytes.event("ADDED", new byte[0]),
				ProtobufBytes.event("ADDED", ProtobufBytes.pod("a", "1").toByteArray()),
				ProtobufBytes.field(1, "ADDED".getBytes(StandardCharsets.UTF_8)),
				ProtobufBytes.field(2, ProtobufBytes.field(1, object))));
		IntStream.range(0, whole.length).mapToObj((length) -> Arrays.copyOf(whole, length)).forEach(events::add);
		assertThat(events).allSatisfy((each) -> assertThatExceptionOfType(MalformedProtobufException.class)
			.isThrownBy(() -> this.codec.readEvent(each)));
	}

	@Test
	void damagedEventIsReadOrMalformedButNothingElse() {
		byte[] whole = ProtobufBytes.event("MODIFIED", ProtobufBytes.envelope("Pod", ProtobufBytes.pod("a", "1")));
		Random random = new Random(42);
		int malformed = 0;
		for (int i = 0; i < 20_000; i++) {
			byte[] event = whole.clone();
			event[random.nextInt(event.length)] = (byte) random.nextInt(256);
			try {
				assertThat(this.codec.readEvent(event).type()).isNotNull();
			}
			catch (MalformedResponseException ex) {
				malformed++;
			}
		}
		assertThat(malformed).isBetween(1_000, 19_000);
	}

	private ListHeader read(byte[] body) throws IOException {
		this.items.clear();
		return this.codec.readList(new ByteArrayInputStream(body), this.items::add);
	}

	private static byte[] list(String version, String next, Pod... pods) {
		return ProtobufBytes.envelope("PodList",
				PodList.newBuilder()
					.setMetadata(ListMeta.newBuilder().setSelfLink("").setResourceVersion(version).setContinue(next))
					.addAllItems(List.of(pods))
					.build());
	}

	private static Status status() {
		return Status.newBuilder()
			.setMetadata(ListMeta.newBuilder())
			.setStatus("Failure")
			.setMessage("Timeout: Too large resource version: 9")
			.setReason("Timeout")
			.setDetails(StatusDetails.newBuilder()
				.addCauses(StatusCause.newBuilder()
					.setReason("ResourceVersionTooLarge")
					.setMessage("Too large resource version"))
				.addCauses(StatusCause.newBuilder().setReason("Other"))
				.setRetryAfterSeconds(7))
			.setCode(504)
			.build();
	}

	/** Decodes only the fields that the test needs. */
	private static V1Pod decode(byte[] bytes, int from, int to) throws MalformedResponseException {
		try {
			Pod pod = Pod.parseFrom(ByteString.copyFrom(bytes, from, to - from));
			return new V1Pod().metadata(new V1ObjectMeta().namespace(pod.getMetadata().getNamespace())
				.name(pod.getMetadata().getName())
				.uid(pod.getMetadata().getUid())
				.resourceVersion(pod.getMetadata().getResourceVersion())
				.labels(pod.getMetadata().getLabelsMap()));
		}
		catch (IOException ex) {
			throw new MalformedResponseException("the field 'spec' cannot be read: broken", ex);
		}
	}

}
