package dev.kubeinformer.internal.codec.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;
import dev.kubeinformer.internal.codec.protobuf.PopulatedObjects.Variant;
import dev.kubeinformer.resource.ResourceType;

/**
 * Objects of every type that is served as protobuf, as an API server answered them.
 */
final class EveryType {

	private static final String FILE = "every-type.zip";

	private static final int SECOND_BYTES = 2 << 3 | 2;

	private EveryType() {
	}

	static List<ResourceType<?>> withProtobuf() {
		return ResourceType.builtIn()
			.stream()
			// kube-apiserver makes them up when it is asked.
			.filter((type) -> !type.plural().equals("componentstatuses"))
			.toList();
	}

	/**
	 * Returns the answers that were recorded.
	 * @return a JSON and a protobuf answer of each type and variant
	 * @throws IOException if they cannot be read
	 */
	static List<Answers> recorded() throws IOException {
		Map<String, byte[]> entries = new LinkedHashMap<>();
		try (InputStream stream = EveryType.class.getResourceAsStream(FILE);
				ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(stream, FILE))) {
			for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
				entries.put(entry.getName(), zip.readAllBytes());
			}
		}
		List<Answers> answers = new ArrayList<>();
		for (ResourceType<?> type : withProtobuf()) {
			for (Variant variant : Variant.values()) {
				byte[] json = entries.get(Answers.name(type, variant, "json"));
				byte[] protobuf = entries.get(Answers.name(type, variant, "pb"));
				if (json != null && protobuf != null) {
					answers.add(new Answers(type, variant, json, protobuf));
				}
			}
		}
		return answers;
	}

	static void record(Path resources, Map<String, byte[]> answers) throws IOException {
		Path file = resources.resolve("dev/kubeinformer/internal/codec/protobuf").resolve(FILE);
		Files.createDirectories(file.getParent());
		try (OutputStream stream = Files.newOutputStream(file); ZipOutputStream zip = new ZipOutputStream(stream)) {
			for (Map.Entry<String, byte[]> answer : answers.entrySet()) {
				ZipEntry entry = new ZipEntry(answer.getKey());
				entry.setTime(0);
				zip.putNextEntry(entry);
				zip.write(answer.getValue());
			}
		}
	}

	/**
	 * Decodes both answers in all ways, and compares them.
	 * @param answers the answers
	 * @return where they are different
	 */
	static List<String> differences(Answers answers) {
		List<String> differences = new ArrayList<>();
		for (JsonMappers mappers : List.of(new JsonMappers(false), new JsonMappers(true),
				new JsonMappers(false).modifiable())) {
			PartPool parts = new PartPool(PartPool.MOST_BYTES);
			differences.addAll(differences(answers.type(), answers, mappers, null));
			differences.addAll(differences(answers.type(), answers, mappers, parts));
		}
		return differences.stream().distinct().toList();
	}

	private static <T extends KubernetesObject> List<String> differences(ResourceType<T> type, Answers answers,
			JsonMappers mappers, @Nullable PartPool parts) {
		try {
			T expected = new JsonCodec<>(type, mappers)
				.readEvent(
						("{\"type\":\"ADDED\",\"object\":" + new String(answers.json(), StandardCharsets.UTF_8).trim()
								+ "}")
							.getBytes(StandardCharsets.UTF_8))
				.object()
				.object();
			Objects.requireNonNull(expected, "The JSON cannot be decoded");
			ProtobufReader reader = new ProtobufReader(mappers, new KnownValues(1000), parts);
			List<String> differences = new ArrayList<>();
			// The second time, parts come from the pool.
			for (int i = 0; i < 2; i++) {
				T actual = decode(type, answers.message(), reader);
				differences.addAll(ModelDifferences.between(actual, expected));
			}
			return differences;
		}
		catch (IOException ex) {
			return List.of(ex.toString());
		}
	}

	static <T extends KubernetesObject> T decode(ResourceType<T> type, byte[] message, ProtobufReader reader)
			throws MalformedMessageException {
		T object = reader.read(Objects.requireNonNull(MessageDecoders.find(type.objectClass())), message, 0,
				message.length);
		setTypeMeta(type, object);
		return object;
	}

	/** Sets what an envelope says, which is the codec's matter. */
	private static void setTypeMeta(ResourceType<?> type, KubernetesObject object) {
		try {
			object.getClass().getMethod("setApiVersion", String.class).invoke(object, type.apiVersion());
			object.getClass().getMethod("setKind", String.class).invoke(object, type.kind());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Answers of an API server for one object.
	 *
	 * @param type the type
	 * @param variant the variant of the object
	 * @param json the answer in JSON
	 * @param protobuf the answer in protobuf
	 */
	record Answers(ResourceType<?> type, Variant variant, byte[] json, byte[] protobuf) {

		static String name(ResourceType<?> type, Variant variant, String form) {
			return type + "-" + variant + "." + form;
		}

		void addTo(Map<String, byte[]> answers) {
			answers.put(name(this.type, this.variant, "json"), this.json);
			answers.put(name(this.type, this.variant, "pb"), this.protobuf);
		}

		/**
		 * Returns the object in the protobuf answer, without the envelope around it.
		 * @return the bytes
		 */
		byte[] message() {
			MessageCursor envelope = new MessageCursor();
			envelope.reset(this.protobuf, "k8s\0".length(), this.protobuf.length);
			try {
				int tag = envelope.nextTag();
				while (tag != SECOND_BYTES) {
					envelope.skip(tag);
					tag = envelope.nextTag();
				}
				int length = envelope.length();
				int from = envelope.move(length);
				return Arrays.copyOfRange(this.protobuf, from, from + length);
			}
			catch (MalformedMessageException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public String toString() {
			return this.type + " " + this.variant;
		}

	}

}
