package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonNull;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.model.AppliedFields.Zero;

/**
 * Checks whether an existing object already has all values of a wanted object, so that a
 * server-side apply would change nothing. Additional values of the existing object are
 * ignored, because other field managers have set them. They only count where an apply
 * would replace the enclosing value. The comparison ends at the first difference, and
 * does not copy objects.
 * <p>
 * For official models, the schemas define how lists and maps are merged, and the Go types
 * define which values the API server omits. For custom models neither is known, so each
 * list is compared completely. Additional values in elements of these lists, in maps and
 * in objects may be defaults, may have been set by other field managers, or may be
 * removed by an apply.
 */
public final class WantedContent {

	private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

	/** Whether the existing object has additional values that an apply may remove. */
	private boolean more;

	private WantedContent() {
	}

	/**
	 * Compares an existing object with the wanted one. Status, name, namespace and type
	 * are not compared.
	 * @param wanted the wanted object
	 * @param metadata the tree of the wanted object's metadata, as it is sent
	 * @param there the existing object
	 * @param ignored the name of an annotation that is not compared
	 * @return the result of the comparison
	 */
	public static Containment in(Object there, Object wanted, Map<String, @Nullable Object> metadata, String ignored) {
		WantedContent comparison = new WantedContent();
		if (wanted.getClass() != there.getClass() || !comparison.isObject(wanted, there)
				|| !isMetadata(metadata, metadata(there), ignored)) {
			return Containment.DIFFERS;
		}
		return comparison.more ? Containment.HOLDS_AND_MORE : Containment.HOLDS;
	}

	private static V1ObjectMeta metadata(Object there) {
		V1ObjectMeta metadata = (there instanceof KubernetesObject object) ? object.getMetadata() : null;
		return (metadata != null) ? metadata : new V1ObjectMeta();
	}

	private boolean isObject(Object wanted, Object there) {
		ContentClass type = ContentClass.of(wanted.getClass());
		if (type.kind() == ContentClass.Kind.MODEL) {
			return isModel(type, wanted, there, Place.of(wanted.getClass()), true);
		}
		return ContentValues.plain(wanted) instanceof Map<?, ?> map
				&& ContentValues.plain(there) instanceof Map<?, ?> other && isMap(map, other, Place.CUSTOM, true);
	}

	private boolean isModel(ContentClass type, Object wanted, Object there, Place place, boolean object) {
		AppliedFields applied = AppliedFields.of(wanted.getClass());
		Place inside = applied.isReplaced() ? Place.REPLACED : place;
		Map<String, String> written = (wanted instanceof V1Secret secret && secret.getStringData() != null)
				? secret.getStringData() : Map.of();
		for (int i = 0; i < type.size(); i++) {
			Field field = type.field(i);
			Object value = ModelClass.get(field, wanted);
			if (value == null && inside == Place.MERGED) {
				continue;
			}
			Object other = ModelClass.get(field, there);
			if (value == other || (object && isOfTheServer(type.name(i)))) {
				continue;
			}
			if (!written.isEmpty() && wanted instanceof V1Secret && type.name(i).equals("stringData")) {
				if (!isWritten(written, ((V1Secret) there).getData())) {
					return false;
				}
			}
			else if (!isField(applied.field(i), without(value, written, type.name(i)), other, inside,
					applied.isOfficial())) {
				return false;
			}
		}
		return true;
	}

	private static boolean isOfTheServer(String name) {
		return name.equals("metadata") || name.equals("status") || name.equals("apiVersion") || name.equals("kind");
	}

	// Ignore the data of keys that are in stringData, which takes precedence (core/v1
	// conversion of Secret).
	private static @Nullable Object without(@Nullable Object value, Map<String, String> written, String name) {
		if (written.isEmpty() || !name.equals("data") || !(value instanceof Map<?, ?> data)) {
			return value;
		}
		Map<Object, @Nullable Object> rest = new HashMap<>(data);
		rest.keySet().removeAll(written.keySet());
		return rest;
	}

	private static boolean isWritten(Map<String, String> written, @Nullable Map<String, byte[]> data) {
		for (Map.Entry<String, String> entry : written.entrySet()) {
			byte[] there = (data != null) ? data.get(entry.getKey()) : null;
			if (there == null || !Arrays.equals(entry.getValue().getBytes(StandardCharsets.UTF_8), there)) {
				return false;
			}
		}
		return true;
	}

	private boolean isField(AppliedFields.Field field, @Nullable Object wanted, @Nullable Object there, Place place,
			boolean official) {
		if (wanted == null || (official && isEmptyCollection(wanted))) {
			return isExtra(field, there, place);
		}
		if (there == null) {
			// Empty collections of custom models are sent, and the API server stores
			// them.
			return place != Place.CUSTOM && field.zero() != Zero.KEPT && isZero(wanted);
		}
		return switch (field.merge()) {
			case BY_KEYS ->
				(place == Place.MERGED) ? isMerged(field.keys(), wanted, there) : isValue(wanted, there, place);
			case SET -> (place == Place.MERGED) ? isSet(wanted, there) : isValue(wanted, there, place);
			case REPLACED_MAP -> isValue(wanted, there, Place.REPLACED);
			case REPLACED -> isValue(wanted, there, place);
		};
	}

	// Returns false if an apply would remove a value that exists but is not wanted.
	private boolean isExtra(AppliedFields.Field field, @Nullable Object there, Place place) {
		if (there == null || place == Place.MERGED || isNothing(there) || field.adds(there)
				|| (field.zero() == Zero.SHOWN && isZero(there))) {
			return true;
		}
		this.more = true;
		return place != Place.REPLACED;
	}

	private static boolean isEmptyCollection(Object value) {
		return (value instanceof Collection<?> collection && collection.isEmpty())
				|| (value instanceof Map<?, ?> map && map.isEmpty());
	}

	private static boolean isZero(Object value) {
		if (value instanceof String text) {
			return text.isEmpty();
		}
		if (value instanceof Number number) {
			return number.doubleValue() == 0;
		}
		return Boolean.FALSE.equals(value) || (value instanceof byte[] bytes && bytes.length == 0);
	}

	// The API server also returns empty Go structs, unless the field is a pointer.
	private static boolean isNothing(Object there) {
		Object plain = ContentValues.plain(there);
		if (plain == null || (plain instanceof Quantity quantity && quantity.getNumber().signum() == 0)) {
			return true;
		}
		ContentClass type = ContentClass.of(plain.getClass());
		if (type.kind() != ContentClass.Kind.MODEL || !AppliedFields.of(plain.getClass()).isOfficial()) {
			return false;
		}
		for (int i = 0; i < type.size(); i++) {
			Object value = ModelClass.get(type.field(i), plain);
			if (value != null && !isNothing(value)) {
				return false;
			}
		}
		return true;
	}

	private boolean isValue(Object wanted, Object there, Place place) {
		if (wanted == there) {
			return true;
		}
		if (wanted instanceof String text) {
			return there instanceof String && text.equals(there);
		}
		Object value = unwrapped(wanted);
		Object other = unwrapped(there);
		if (value == null || other == null) {
			return value == other;
		}
		ContentClass type = ContentClass.of(value.getClass());
		if (type.kind() != ContentClass.of(other.getClass()).kind()) {
			return false;
		}
		return switch (type.kind()) {
			case MODEL -> value.getClass() == other.getClass()
					&& isModel(type, value, other, place.inside(value.getClass()), false);
			case MAP -> isMap((Map<?, ?>) value, (Map<?, ?>) other, place, false);
			case LIST -> isList((Collection<?>) value, (Collection<?>) other, place);
			case QUANTITY -> isQuantity((Quantity) value, (Quantity) other);
			case TIME -> isTime((OffsetDateTime) value, (OffsetDateTime) other, place);
			default -> new ContentComparison(true, null).isSame(value, other, ContentPart.OTHER);
		};
	}

	// The API server stores 1000m as 1 and 1024Mi as 1Gi, but distinguishes 1Gi from
	// 1073741824 (CanonicalizeBytes in quantity.go of k8s.io/apimachinery).
	private static boolean isQuantity(Quantity value, Quantity other) {
		BigDecimal number = value.getNumber();
		if (number.compareTo(other.getNumber()) != 0) {
			return false;
		}
		if (value.getFormat() == other.getFormat() || number.signum() == 0) {
			return true;
		}
		// The format in which a fraction is sent may differ from the format in which it
		// was written.
		Quantity.Format sent = new Quantity(value.toSuffixedString()).getFormat();
		boolean binary = sent == Quantity.Format.BINARY_SI && number.abs().compareTo(KIBI) >= 0
				&& number.remainder(KIBI).signum() == 0;
		return other.getFormat() == ((sent != Quantity.Format.BINARY_SI || binary) ? sent : Quantity.Format.DECIMAL_SI);
	}

	private static @Nullable Object unwrapped(Object value) {
		// Unlike in a comparison of contents, an empty collection counts here.
		return (ContentClass.of(value.getClass()).kind() == ContentClass.Kind.JSON) ? ContentValues.content(value)
				: value;
	}

	// A wanted time is sent with microseconds. The API server keeps the microseconds only
	// of a few built-in fields; other built-in times have a precision of seconds.
	private static boolean isTime(OffsetDateTime wanted, OffsetDateTime there, Place place) {
		OffsetDateTime sent = wanted.truncatedTo(ChronoUnit.MICROS);
		return sent.isEqual(there) || (place != Place.CUSTOM && there.getNano() == 0
				&& sent.truncatedTo(ChronoUnit.SECONDS).isEqual(there));
	}

	private boolean isMap(Map<?, ?> wanted, Map<?, ?> there, Place place, boolean object) {
		int found = 0;
		for (Map.Entry<?, ?> entry : wanted.entrySet()) {
			Object key = entry.getKey();
			Object value = nothing(entry.getValue());
			if (value == null || (object && isOfTheServer(String.valueOf(key)))) {
				continue;
			}
			Object other = nothing(there.get(key));
			if (other == null || !isValue(value, other, place)) {
				return false;
			}
			found++;
		}
		if (place != Place.MERGED && found < there.size() && isMoreThan(wanted, there, object)) {
			this.more = true;
			return place != Place.REPLACED;
		}
		return true;
	}

	private static boolean isMoreThan(Map<?, ?> wanted, Map<?, ?> there, boolean object) {
		for (Map.Entry<?, ?> entry : there.entrySet()) {
			if (nothing(entry.getValue()) != null && nothing(wanted.get(entry.getKey())) == null
					&& !(object && isOfTheServer(String.valueOf(entry.getKey())))) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable Object nothing(@Nullable Object value) {
		return (value instanceof JsonNull) ? null : value;
	}

	private boolean isList(Collection<?> wanted, Collection<?> there, Place place) {
		if (wanted.size() != there.size()) {
			return false;
		}
		Iterator<?> others = there.iterator();
		for (Object each : wanted) {
			Object other = others.next();
			if (each == null || other == null) {
				if (each != other) {
					return false;
				}
			}
			else if (!isValue(each, other, place.ofElements())) {
				return false;
			}
		}
		return true;
	}

	private static boolean isSet(Object wanted, Object there) {
		if (!(wanted instanceof Collection<?> values) || !(there instanceof Collection<?> others)) {
			return false;
		}
		Iterator<?> rest = others.iterator();
		for (Object each : values) {
			if (!isFound(each, rest)) {
				return false;
			}
		}
		return true;
	}

	private static boolean isFound(Object value, Iterator<?> rest) {
		while (rest.hasNext()) {
			if (value.equals(rest.next())) {
				return true;
			}
		}
		return false;
	}

	// An apply puts the wanted elements in their order; elements of other field managers
	// stay in between.
	private boolean isMerged(List<String> keys, Object wanted, Object there) {
		if (!(wanted instanceof Collection<?> values) || !(there instanceof Collection<?> others)) {
			return false;
		}
		Iterator<?> rest = others.iterator();
		for (Object each : values) {
			Object found = null;
			while (found == null && rest.hasNext()) {
				Object next = rest.next();
				if (each != null && next != null && each.getClass() == next.getClass() && isSameKey(keys, each, next)) {
					found = next;
				}
			}
			if (found == null || !isValue(each, found, Place.MERGED)) {
				return false;
			}
		}
		return true;
	}

	private static boolean isSameKey(List<String> keys, Object wanted, Object there) {
		ContentClass type = ContentClass.of(wanted.getClass());
		for (String key : keys) {
			int index = type.index(key);
			Object one = (index >= 0) ? ModelClass.get(type.field(index), wanted) : null;
			Object other = (index >= 0) ? ModelClass.get(type.field(index), there) : null;
			if (one == null) {
				one = AppliedFields.keyAdded(key);
			}
			if (other == null) {
				other = AppliedFields.keyAdded(key);
			}
			if (one == null || !one.equals(other)) {
				return false;
			}
		}
		return true;
	}

	private static boolean isMetadata(Map<String, @Nullable Object> wanted, V1ObjectMeta there, String ignored) {
		for (Map.Entry<String, @Nullable Object> entry : wanted.entrySet()) {
			Object value = entry.getValue();
			boolean same = switch (entry.getKey()) {
				case "name", "namespace" -> true;
				case "labels" -> isTexts(value, there.getLabels(), ignored);
				case "annotations" -> isTexts(value, there.getAnnotations(), ignored);
				case "finalizers" -> value instanceof List<?> && isSet(value, orEmpty(there.getFinalizers()));
				case "ownerReferences" -> isOwners(value, orEmpty(there.getOwnerReferences()));
				default -> value == null;
			};
			if (!same) {
				return false;
			}
		}
		return true;
	}

	private static List<?> orEmpty(@Nullable List<?> list) {
		return (list != null) ? list : List.of();
	}

	private static boolean isTexts(@Nullable Object wanted, @Nullable Map<String, String> there, String ignored) {
		if (!(wanted instanceof Map<?, ?> texts)) {
			return wanted == null;
		}
		for (Map.Entry<?, ?> entry : texts.entrySet()) {
			if (entry.getValue() != null && !entry.getKey().equals(ignored)
					&& (there == null || !entry.getValue().equals(there.get(entry.getKey())))) {
				return false;
			}
		}
		return true;
	}

	private static boolean isOwners(@Nullable Object wanted, List<?> there) {
		if (!(wanted instanceof List<?> owners)) {
			return wanted == null;
		}
		Iterator<?> rest = there.iterator();
		for (Object owner : owners) {
			boolean found = false;
			while (!found && rest.hasNext()) {
				found = owner instanceof Map<?, ?> reference && rest.next() instanceof V1OwnerReference other
						&& isOwner(reference, other);
			}
			if (!found) {
				return false;
			}
		}
		return true;
	}

	private static boolean isOwner(Map<?, ?> wanted, V1OwnerReference there) {
		return equal(wanted.get("uid"), there.getUid()) && equal(wanted.get("apiVersion"), there.getApiVersion())
				&& equal(wanted.get("kind"), there.getKind()) && equal(wanted.get("name"), there.getName())
				&& equal(wanted.get("controller"), there.getController())
				&& equal(wanted.get("blockOwnerDeletion"), there.getBlockOwnerDeletion());
	}

	private static boolean equal(@Nullable Object one, @Nullable Object other) {
		return (one != null) ? one.equals(other) : other == null;
	}

	/** Part of an object. It determines the rules for the values in it. */
	private enum Place {

		/** Part of an official model, whose schema is known. */
		MERGED,

		/** Atomic value in an official model. An apply replaces all of it. */
		REPLACED,

		/** Part of a custom resource, whose schema is not known. */
		CUSTOM;

		private static final Set<Place> KNOWN = Set.of(MERGED, REPLACED);

		static Place of(Class<?> type) {
			return AppliedFields.of(type).isOfficial() ? MERGED : CUSTOM;
		}

		Place inside(Class<?> type) {
			// A value in an official model may have a class that is not official, so its
			// schema is unknown.
			return (KNOWN.contains(this) && !AppliedFields.of(type).isOfficial()) ? CUSTOM : this;
		}

		Place ofElements() {
			return (this == MERGED) ? REPLACED : this;
		}

	}

}
