package dev.kubeinformer.internal.codec.json;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.Known;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Lists of which some items need not be decoded.
 */
class KnownItemsTests {

	private static final String A = "blog/a/uid-a/1";

	private static final String B = "blog/b/uid-b/2";

	private final JsonCodec<V1Pod> pods = new JsonCodec<>(ResourceType.of(V1Pod.class), new JsonMappers(false));

	@Test
	void knownItemsAreNotDecoded() throws IOException {
		Known<V1Pod> items = new Known<>(A);
		ListHeader header = read(items, pod("a", "1", "7"), pod("b", "2", "{}"), pod("a", "3", "{}"));
		assertThat(header).isEqualTo(new ListHeader("41", "next"));
		assertThat(items.included()).containsExactly(A);
		assertThat(names(items)).containsExactly("b@2", "a@3");
		assertThat(items.decoded().get(0).object().getKind()).isEqualTo("Pod");
	}

	@Test
	void metadataOfTheListMayComeBehindItsItems() throws IOException {
		Known<V1Pod> items = new Known<>(A);
		String list = "{\"items\" : [ %s\n,\t%s ] , \"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"41\"}}"
			.formatted(pod("a", "1", "7"), pod("b", "2", "{}"));
		assertThat(this.pods.readList(stream(list), items)).isEqualTo(new ListHeader("41", ""));
		assertThat(items.included()).containsExactly(A);
		assertThat(names(items)).containsExactly("b@2");
	}

	@Test
	void emptyListIsAList() throws IOException {
		Known<V1Pod> items = new Known<>(A);
		assertThat(read(items)).isEqualTo(new ListHeader("41", "next"));
		assertThat(items.decoded()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "7", "\"{}\"", "[]", "{}", "{\"metadata\":{\"n\\u0061me\":\"x\"},\"spec\":7}" })
	void itemThatIsOddIsReadAsInAnyList(String odd) throws IOException {
		Known<V1Pod> items = new Known<>(A, B);
		read(items, pod("a", "1", "7"), odd, pod("b", "2", "{}"));
		List<DecodedObject<V1Pod>> all = new ArrayList<>();
		this.pods.readList(stream(list(odd)), all::add);
		assertThat(items.included()).startsWith(A);
		assertThat(items.decoded().get(0)).isEqualTo(all.get(0));
		assertThat(items.included().size() + items.decoded().size()).isEqualTo(3);
		Known<V1Pod> first = new Known<>();
		read(first, odd, pod("b", "2", "{}"));
		assertThat(first.decoded()).hasSize(2);
		assertThat(first.decoded().get(0)).isEqualTo(all.get(0));
	}

	@Test
	void itemThatCannotBeReadIsNamed() throws IOException {
		Known<V1Pod> items = new Known<>(A);
		read(items, pod("b", "2", "7"), pod("c", "3", "[".repeat(5_000) + "]".repeat(5_000)), pod("d", "4", "{}"));
		assertThat(names(items)).containsExactly("b@2", "c@3", "d@4");
		assertThat(items.decoded()).extracting((item) -> item.object() != null).containsExactly(false, false, true);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 1_000, 50_000, 500_000 })
	void listMayComeInAnyPieces(int piece) throws IOException {
		String large = "\"" + "x\\\"]}".repeat(40_000) + "\"";
		String[] pods = IntStream.range(0, 60)
			.mapToObj((i) -> pod("p" + i, "1", (i % 20 == 7) ? "{\"nodeName\":" + large + "}" : "{}"))
			.toArray(String[]::new);
		Known<V1Pod> items = new Known<>("blog/p7/uid-p7/1", "blog/p30/uid-p30/1", "blog/p59/uid-p59/1");
		Random random = new Random(piece);
		InputStream pieces = new FilterInputStream(stream(list(pods))) {

			@Override
			public int read(byte[] buffer, int offset, int length) throws IOException {
				return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(piece)));
			}

		};
		assertThat(this.pods.readList(pieces, items)).isEqualTo(new ListHeader("41", "next"));
		assertThat(items.included()).hasSize(3);
		assertThat(items.decoded()).hasSize(57).allMatch((item) -> item.object() != null);
		assertThat(items.decoded().get(26).object().getSpec().getNodeName()).hasSize(160_000);
	}

	@Test
	void listThatIsCutOffAnywhereIsMalformed() {
		String list = list(pod("a", "1", "7"), pod("b", "2", "{}"));
		for (int length = 0; length < list.length(); length++) {
			String cut = list.substring(0, length);
			assertThatExceptionOfType(MalformedResponseException.class).as(cut)
				.isThrownBy(() -> this.pods.readList(stream(cut), new Known<>(A)));
		}
	}

	@Test
	void itemsBeforeTheEndOfABrokenStreamCount() {
		byte[] list = list(pod("a", "1", "7"), pod("b", "2", "{}"), pod("c", "3", "{}"))
			.getBytes(StandardCharsets.UTF_8);
		InputStream broken = new FilterInputStream(new ByteArrayInputStream(list, 0, list.length - 20)) {

			@Override
			public int read(byte[] buffer, int offset, int length) throws IOException {
				int read = super.read(buffer, offset, length);
				if (read < 0) {
					throw new SocketException("reset");
				}
				return read;
			}

		};
		Known<V1Pod> items = new Known<>(A);
		assertThatExceptionOfType(SocketException.class).isThrownBy(() -> this.pods.readList(broken, items));
		assertThat(items.included()).containsExactly(A);
		assertThat(names(items)).containsExactly("b@2");
	}

	@Test
	void itemMayNotBeLongerThanAnyOther() {
		JsonMappers mappers = new JsonMappers(false);
		String pod = pod("a", "1", "\"" + "x".repeat(1024) + "\"");
		InputStream endless = new InputStream() {

			private final byte[] start = ("{\"items\":[" + pod.substring(0, pod.length() - 3))
				.getBytes(StandardCharsets.UTF_8);

			private long position;

			@Override
			public int read() {
				return (this.position < this.start.length) ? this.start[(int) this.position++] : 'x';
			}

			@Override
			public int read(byte[] buffer, int offset, int length) {
				for (int i = 0; i < length; i++) {
					buffer[offset + i] = (byte) read();
				}
				return length;
			}

		};
		JsonCodec<V1Pod> codec = new JsonCodec<>(ResourceType.of(V1Pod.class), mappers);
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> codec.readList(endless, new Known<>(A)))
			.withMessageContaining("longer than");
	}

	@Test
	void onlyAdditionsOfKnownObjectsAreKnown() {
		String event = "{\"type\":\"%s\",\"object\":%s}";
		assertThat(adds(event.formatted("ADDED", pod("a", "1", "7")))).isTrue();
		for (String other : List.of(event.formatted("ADDED", pod("a", "2", "7")),
				event.formatted("MODIFIED", pod("a", "1", "7")), event.formatted("DELETED", pod("a", "1", "7")),
				event.formatted("BOOKMARK", pod("a", "1", "7")), event.formatted("ADDED", pod("a", "1", "7") + ",7"),
				event.formatted("ADDED", "7"), "", "garbage")) {
			assertThat(adds(other)).as(other).isFalse();
		}
	}

	private boolean adds(String event) {
		return this.pods.addsKnown(event.getBytes(StandardCharsets.UTF_8), new Known<>(A));
	}

	private ListHeader read(Known<V1Pod> items, String... pods) throws IOException {
		return this.pods.readList(stream(list(pods)), items);
	}

	private static List<String> names(Known<V1Pod> items) {
		return items.decoded()
			.stream()
			.map((item) -> item.metadata().name() + "@" + item.metadata().resourceVersion())
			.toList();
	}

	private static String pod(String name, String version, String spec) {
		return "{\"metadata\":{\"namespace\":\"blog\",\"name\":\"%s\",\"uid\":\"uid-%s\",\"resourceVersion\":\"%s\"},\"spec\":%s}"
			.formatted(name, name, version, spec);
	}

	private static String list(String... pods) {
		return "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"41\",\"continue\":\"next\"},\"items\":["
				+ String.join(",", pods) + "]}";
	}

	private static InputStream stream(String text) {
		return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
	}

}
