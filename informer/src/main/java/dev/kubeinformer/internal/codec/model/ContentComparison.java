package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/** Compares two models, and stops at the first difference. */
final class ContentComparison {

	private static final Pattern SIMPLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

	private final boolean withStatus;

	/**
	 * Path to the difference, with the last field first; {@code null} if the path is not
	 * needed.
	 */
	private final @Nullable List<String> steps;

	ContentComparison(boolean withStatus, @Nullable List<String> steps) {
		this.withStatus = withStatus;
		this.steps = steps;
	}

	boolean isSame(@Nullable Object first, @Nullable Object second, ContentPart part) {
		if (first == second) {
			return true;
		}
		if (first instanceof String text && second instanceof String) {
			return text.equals(second);
		}
		Object one = ContentValues.plain(first);
		Object other = ContentValues.plain(second);
		if (one == null || other == null) {
			return one == other;
		}
		ContentClass type = ContentClass.of(one.getClass());
		ContentClass.Kind kind = type.kind();
		if (kind == ContentClass.Kind.MODEL) {
			return one.getClass() == other.getClass() && isSameModel(type, one, other, part);
		}
		return kind == ContentClass.of(other.getClass()).kind() && isSameValue(kind, one, other, part);
	}

	private boolean isSameModel(ContentClass type, Object one, Object other, ContentPart part) {
		for (int i = 0; i < type.size(); i++) {
			Field field = type.field(i);
			Object value = ModelClass.get(field, one);
			Object otherValue = ModelClass.get(field, other);
			if (value != otherValue) {
				String name = type.name(i);
				if (!part.leavesOut(name, this.withStatus) && !isSame(value, otherValue, part.inside(name))) {
					return differs(name);
				}
			}
		}
		return true;
	}

	private boolean isSameValue(ContentClass.Kind kind, Object one, Object other, ContentPart part) {
		return switch (kind) {
			case TEXT, VALUE, MODEL, JSON -> one.equals(other);
			case NUMBER -> one.equals(other)
					|| ContentValues.canonical((Number) one).equals(ContentValues.canonical((Number) other));
			case QUANTITY -> isSame((Quantity) one, (Quantity) other);
			case INT_OR_STRING -> isSame((IntOrString) one, (IntOrString) other);
			case TIME -> ((OffsetDateTime) one).isEqual((OffsetDateTime) other);
			case MAP -> isSame((Map<?, ?>) one, (Map<?, ?>) other, part);
			case SET -> ((Set<?>) one).size() == ((Set<?>) other).size()
					&& ContentDigest.of(one).equals(ContentDigest.of(other));
			case LIST -> isSame((Collection<?>) one, (Collection<?>) other);
			case ARRAY -> isSameArray(one, other);
		};
	}

	private static boolean isSame(Quantity one, Quantity other) {
		return one.getFormat() == other.getFormat() && one.getNumber().compareTo(other.getNumber()) == 0;
	}

	private static boolean isSame(IntOrString one, IntOrString other) {
		return (one.isInteger() == other.isInteger())
				&& (one.isInteger() ? Objects.equals(one.getIntValue(), other.getIntValue())
						: Objects.equals(one.getStrValue(), other.getStrValue()));
	}

	private boolean isSame(Map<?, ?> one, Map<?, ?> other, ContentPart part) {
		int left = other.size();
		for (Map.Entry<?, ?> entry : one.entrySet()) {
			String name = String.valueOf(entry.getKey());
			boolean there = other.containsKey(entry.getKey());
			left -= there ? 1 : 0;
			if (!part.leavesOut(name, this.withStatus)
					&& (!there || !isSame(entry.getValue(), other.get(entry.getKey()), part.inside(name)))) {
				return differs(name);
			}
		}
		return left == 0 || isSameRest(one, other, part);
	}

	private boolean isSameRest(Map<?, ?> one, Map<?, ?> other, ContentPart part) {
		for (Object key : other.keySet()) {
			if (!one.containsKey(key) && !part.leavesOut(String.valueOf(key), this.withStatus)) {
				return differs(String.valueOf(key));
			}
		}
		return true;
	}

	private boolean isSame(Collection<?> one, Collection<?> other) {
		Iterator<?> ones = one.iterator();
		Iterator<?> others = other.iterator();
		for (int i = 0; ones.hasNext() || others.hasNext(); i++) {
			if (!ones.hasNext() || !others.hasNext() || !isSame(ones.next(), others.next(), ContentPart.OTHER)) {
				return differs(i);
			}
		}
		return true;
	}

	private boolean isSameArray(Object one, Object other) {
		int length = Array.getLength(one);
		if (one instanceof byte[] bytes && other instanceof byte[] otherBytes) {
			return Arrays.equals(bytes, otherBytes);
		}
		if (length != Array.getLength(other)) {
			return differs(Math.min(length, Array.getLength(other)));
		}
		for (int i = 0; i < length; i++) {
			if (!isSame(Array.get(one, i), Array.get(other, i), ContentPart.OTHER)) {
				return differs(i);
			}
		}
		return true;
	}

	private boolean differs(String name) {
		if (this.steps != null) {
			this.steps.add(SIMPLE.matcher(name).matches() ? "." + name : "['" + name + "']");
		}
		return false;
	}

	private boolean differs(int index) {
		if (this.steps != null) {
			this.steps.add("[" + index + "]");
		}
		return false;
	}

}
