package dev.kubeinformer.codec.generator;

import java.util.List;
import java.util.Map;

import com.google.gson.annotations.SerializedName;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.codec.generator.MessageField.Shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DecoderGenerator}.
 */
class DecoderGeneratorTests {

	private static final String MESSAGE = "example.v1.Widget";

	private static final String MODEL = Widget.class.getName();

	private static final MessageField NAME = new MessageField(1, Shape.SINGLE, "string", "name", Presence.OMITTED);

	private static final MessageField WEIGHTS = new MessageField(2, Shape.REPEATED, "int64", "weights",
			Presence.OMITTED);

	@Test
	void messageAndModelThatFitShouldGetADecoder() {
		Map<String, String> sources = sources(NAME, WEIGHTS);
		assertThat(sources).containsOnlyKeys("WidgetDecoder", "GeneratedDecoders");
		assertThat(sources.get("WidgetDecoder")).contains("case 10 -> model.setName(reader.omittedString());",
				"case 16 -> model.setWeights(reader.list(tag, model.getWeights(), ScalarReader.INT64));");
		assertThat(sources.get("GeneratedDecoders")).contains("case \"Widget\" -> WidgetDecoder.INSTANCE;");
	}

	@Test
	void fieldThatOnlyTheModelHasShouldFail() {
		assertFails("'%s' has the field 'weights', which the message '%s' does not have".formatted(MODEL, MESSAGE),
				NAME);
	}

	@Test
	void fieldThatOnlyTheMessageHasShouldFail() {
		assertFails("'%s' has no field 'size', which the message '%s' has".formatted(MODEL, MESSAGE), NAME, WEIGHTS,
				new MessageField(3, Shape.SINGLE, "int32", "size", Presence.ALWAYS));
	}

	@Test
	void fieldOfAnotherTypeShouldFail() {
		assertFails("the field 'name' of '%s' is a bool, which no reader converts to the model's java.lang.String"
			.formatted(MESSAGE), new MessageField(1, Shape.SINGLE, "bool", "name", Presence.OMITTED), WEIGHTS);
		assertFails(
				"the field 'weights' of '%s' is a int64, which no reader converts to the model's java.util.List<java.lang.Long>"
					.formatted(MESSAGE),
				NAME, new MessageField(2, Shape.SINGLE, "int64", "weights", Presence.OMITTED));
	}

	@Test
	void elementsThatNothingReadsShouldFail() {
		DecoderGenerator generator = new DecoderGenerator(Map.of("example.v1.Scale",
				List.of(new MessageField(1, Shape.REPEATED, "double", "values", Presence.OMITTED))));
		generator.add("example.v1.Scale", Scale.class);
		assertThatExceptionOfType(GenerationException.class).isThrownBy(generator::sources)
			.withMessage("Decoders would lose data:\n  the field 'values' of 'example.v1.Scale' is a double REPEATED, "
					+ "which no reader converts to the model's java.util.List<java.lang.Double>");
	}

	@Test
	void messageThatIsUnknownShouldFail() {
		DecoderGenerator generator = new DecoderGenerator(Map.of());
		generator.add(MESSAGE, Widget.class);
		assertThatExceptionOfType(GenerationException.class).isThrownBy(generator::sources)
			.withMessageContaining("the message '%s' of '%s' is unknown".formatted(MESSAGE, MODEL));
	}

	private static void assertFails(String problem, MessageField... fields) {
		assertThatExceptionOfType(GenerationException.class).isThrownBy(() -> sources(fields))
			.withMessage("Decoders would lose data:\n  " + problem);
	}

	private static Map<String, String> sources(MessageField... fields) {
		DecoderGenerator generator = new DecoderGenerator(Map.of(MESSAGE, List.of(fields)));
		generator.add(MESSAGE, Widget.class);
		return generator.sources();
	}

	public static class Widget {

		@SerializedName("name")
		private String name;

		@SerializedName("weights")
		private List<Long> weights;

		public String getName() {
			return this.name;
		}

		public void setName(String name) {
			this.name = name;
		}

		public List<Long> getWeights() {
			return this.weights;
		}

		public void setWeights(List<Long> weights) {
			this.weights = weights;
		}

	}

	public static class Scale {

		@SerializedName("values")
		private List<Double> values;

		public List<Double> getValues() {
			return this.values;
		}

		public void setValues(List<Double> values) {
			this.values = values;
		}

	}

}
