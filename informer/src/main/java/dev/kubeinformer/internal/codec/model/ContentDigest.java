package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Array;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Map;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Computes the hash of a model. Models that are equal for {@link ContentComparison} have
 * the same hash.
 */
final class ContentDigest {

	private static final int END = -1;

	private static final int NOTHING = -2;

	private final boolean withStatus;

	private final ContentHasher hasher = new ContentHasher();

	ContentDigest(boolean withStatus) {
		this.withStatus = withStatus;
	}

	static ContentHash of(@Nullable Object value) {
		ContentDigest digest = new ContentDigest(true);
		digest.add(value, ContentPart.OTHER);
		return digest.hash();
	}

	ContentHash hash() {
		return this.hasher.hash();
	}

	void add(@Nullable Object value, ContentPart part) {
		Object plain = ContentValues.plain(value);
		if (plain == null) {
			this.hasher.add(NOTHING);
			return;
		}
		ContentClass type = ContentClass.of(plain.getClass());
		this.hasher.add(type.kind().ordinal());
		switch (type.kind()) {
			case TEXT -> this.hasher.addText((String) plain);
			case NUMBER -> add(ContentValues.canonical((Number) plain));
			case QUANTITY -> add((Quantity) plain);
			case INT_OR_STRING -> add((IntOrString) plain);
			case TIME -> add((OffsetDateTime) plain);
			case MAP -> add((Map<?, ?>) plain, part);
			case SET -> addUnordered((Collection<?>) plain);
			case LIST -> ((Collection<?>) plain).forEach((each) -> add(each, ContentPart.OTHER));
			case ARRAY -> addArray(plain);
			case MODEL -> addModel(type, plain, part);
			case VALUE, JSON ->
				this.hasher.addText((plain instanceof Enum<?> constant) ? constant.name() : plain.toString());
		}
		this.hasher.add(END);
	}

	private void addModel(ContentClass type, Object model, ContentPart part) {
		for (int i = 0; i < type.size(); i++) {
			Object value = ModelClass.get(type.field(i), model);
			String name = type.name(i);
			if (value != null && !part.leavesOut(name, this.withStatus) && ContentValues.plain(value) != null) {
				this.hasher.add(type.hash(i));
				add(value, part.inside(name));
			}
		}
	}

	private void add(Object canonical) {
		if (canonical instanceof Long whole) {
			this.hasher.add(whole);
		}
		else {
			this.hasher.addText((String) canonical);
		}
	}

	private void add(Quantity quantity) {
		add(ContentValues.canonical(quantity.getNumber()));
		this.hasher.addText(String.valueOf(quantity.getFormat()));
	}

	private void add(IntOrString value) {
		this.hasher.add(value.isInteger() ? 1 : 0);
		if (value.isInteger()) {
			this.hasher.add(value.getIntValue());
		}
		else {
			this.hasher.addText(String.valueOf(value.getStrValue()));
		}
	}

	private void add(OffsetDateTime time) {
		this.hasher.add(time.toEpochSecond());
		this.hasher.add(time.getNano());
	}

	private void add(Map<?, ?> map, ContentPart part) {
		long high = 0;
		long low = 0;
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			String name = String.valueOf(entry.getKey());
			if (!part.leavesOut(name, this.withStatus)) {
				ContentDigest digest = new ContentDigest(this.withStatus);
				digest.hasher.addText(name);
				digest.add(entry.getValue(), part.inside(name));
				high += digest.hash().high();
				low += digest.hash().low();
			}
		}
		this.hasher.add(high);
		this.hasher.add(low);
	}

	private void addUnordered(Collection<?> set) {
		long high = 0;
		long low = 0;
		for (Object each : set) {
			ContentHash hash = of(each);
			high += hash.high();
			low += hash.low();
		}
		this.hasher.add(high);
		this.hasher.add(low);
	}

	private void addArray(Object array) {
		if (array instanceof byte[] bytes) {
			this.hasher.addBytes(bytes);
			return;
		}
		for (int i = 0; i < Array.getLength(array); i++) {
			add(Array.get(array, i), ContentPart.OTHER);
		}
	}

}
