package dev.kubeinformer.internal.codec.protobuf;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.proto.Meta.ListMeta;
import io.kubernetes.client.proto.V1.PodList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.codec.Known;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.ObjectIdentity;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lists of which some items need not be decoded, and the identity of items.
 */
class KnownItemsTests {

	private static final String A = "blog/a/uid-a/1";

	private final ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);

	private final JsonMappers mappers = new JsonMappers(false);

	private final MessageDecoder<V1Pod> decoder = MessageDecoders.find(V1Pod.class);

	private final ProtobufCodec<V1Pod> codec = new ProtobufCodec<>(this.type, this.decoder,
			new ProtobufReader(this.mappers, new KnownValues(), null), new JsonCodec<>(this.type, this.mappers));

	private final ProtobufIdentityScan scan = new ProtobufIdentityScan();

	@Test
	void knownItemsAreNotDecoded() throws IOException {
		Known<V1Pod> items = new Known<>(A);
		byte[] broken = ProtobufBytes.join(ProtobufBytes.pod("a", "1").toByteArray(),
				ProtobufBytes.field(2, "not a spec".getBytes(StandardCharsets.UTF_8)));
		ListHeader header = read(items, broken, ProtobufBytes.pod("b", "2").toByteArray(),
				ProtobufBytes.pod("a", "3").toByteArray());
		assertThat(header.resourceVersion()).isEqualTo("41");
		assertThat(items.included()).containsExactly(A);
		assertThat(items.decoded()).extracting((item) -> item.object().getMetadata().getResourceVersion())
			.containsExactly("2", "3");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = {
			// the fields of metadata: 1 name, 3 namespace, 5 uid, 6 resourceVersion
			"1=a,3=n,5=u,6=7 ; n/a/u/7", "6=7,5=u,3=n,1=a ; n/a/u/7", "1=a ; /a//", "'' ; ///", "1=a,1=b ; /b//",
			"2=generated,4=self,12=annotation,1=ä,5=u ; /ä/u/", "15=managed,1=a,13=owner,14=unknown ; /a//" })
	void identityIsThatOfTheObjectItself(String fields, String expected) throws Exception {
		byte[] metadata = metadata(fields);
		byte[] nested = ProtobufBytes.field(2, ProtobufBytes.field(1, metadata("1=inner,5=inner")));
		byte[] whole = ProtobufBytes.field(1, metadata);
		assertThat(found(whole)).isEqualTo(expected);
		assertThat(found(ProtobufBytes.join(nested, whole))).isEqualTo(expected);
		assertThat(found(ProtobufBytes.join(whole, nested))).isEqualTo(expected);
	}

	@Test
	void metadataThatComesTwiceIsMerged() throws Exception {
		assertThat(found(ProtobufBytes.join(ProtobufBytes.field(1, metadata("1=a,5=u")),
				ProtobufBytes.field(1, metadata("1=b,6=7")))))
			.isEqualTo("/b/u/7");
	}

	@Test
	void whatIsCutOffOrDamagedIsNotKnownOrHasTheIdentityOfTheDecodedObject() {
		byte[] whole = ProtobufBytes.pod("a", "1").toByteArray();
		Random random = new Random(42);
		int equal = 0;
		for (int i = 0; i < 20_000; i++) {
			byte[] object = whole.clone();
			object[random.nextInt(object.length)] = (byte) random.nextInt(256);
			int length = (i % 4 == 0) ? random.nextInt(object.length) : object.length;
			Known<V1Pod> known = new Known<>();
			try {
				V1Pod pod = new ProtobufReader(this.mappers, new KnownValues(), null).read(this.decoder, object, 0,
						length);
				if (pod.getMetadata() != null) {
					this.scan.isKnown(object, 0, length, known);
					ObjectIdentity identity = this.scan.read(object, 0, length);
					assertThat(identity.name().toString()).isEqualTo(text(pod.getMetadata().getName()));
					assertThat(identity.namespace().toString()).isEqualTo(text(pod.getMetadata().getNamespace()));
					assertThat(identity.uid().toString()).isEqualTo(text(pod.getMetadata().getUid()));
					assertThat(identity.resourceVersion().toString())
						.isEqualTo(text(pod.getMetadata().getResourceVersion()));
					equal++;
				}
			}
			catch (Exception ex) {
				// It cannot be decoded. What is known is not decoded.
				assertThat(this.scan.isKnown(object, 0, length, known)).isFalse();
			}
		}
		assertThat(equal).isGreaterThan(1_000);
	}

	@Test
	void onlyAdditionsOfKnownObjectsAreKnown() {
		byte[] pod = ProtobufBytes.envelope("Pod", ProtobufBytes.pod("a", "1"));
		assertThat(adds(ProtobufBytes.event("ADDED", pod))).isTrue();
		for (byte[] other : List.of(ProtobufBytes.event("MODIFIED", pod), ProtobufBytes.event("DELETED", pod),
				ProtobufBytes.event("BOOKMARK", pod),
				ProtobufBytes.event("ADDED", ProtobufBytes.envelope("Pod", ProtobufBytes.pod("a", "2"))),
				ProtobufBytes.event("ADDED", ProtobufBytes.envelope("Node", ProtobufBytes.pod("a", "1"))),
				ProtobufBytes.event("ADDED", ProtobufBytes.pod("a", "1").toByteArray()),
				ProtobufBytes.event("ADDED", "{}".getBytes(StandardCharsets.UTF_8)), new byte[0],
				"garbage".getBytes(StandardCharsets.UTF_8))) {
			assertThat(adds(other)).isFalse();
		}
	}

	private boolean adds(byte[] event) {
		return this.codec.addsKnown(event, new Known<>(A));
	}

	private ListHeader read(Known<V1Pod> items, byte[]... pods) throws IOException {
		byte[] list = PodList.newBuilder()
			.setMetadata(ListMeta.newBuilder().setResourceVersion("41"))
			.build()
			.toByteArray();
		for (byte[] pod : pods) {
			list = ProtobufBytes.join(list, ProtobufBytes.field(2, pod));
		}
		return this.codec.readList(new ByteArrayInputStream(ProtobufBytes.envelope("PodList", list)), items);
	}

	private String found(byte[] object) throws MalformedMessageException {
		byte[] bytes = ProtobufBytes.join(new byte[3], object, new byte[5]);
		ObjectIdentity identity = this.scan.read(bytes, 3, 3 + object.length);
		return identity.namespace() + "/" + identity.name() + "/" + identity.uid() + "/" + identity.resourceVersion();
	}

	private static byte[] metadata(String fields) {
		byte[] metadata = new byte[0];
		for (String field : fields.isEmpty() ? new String[0] : fields.split(",")) {
			String[] parts = field.split("=");
			metadata = ProtobufBytes.join(metadata,
					ProtobufBytes.field(Integer.parseInt(parts[0]), parts[1].getBytes(StandardCharsets.UTF_8)));
		}
		return metadata;
	}

	private static String text(String value) {
		return (value != null) ? value : "";
	}

}
