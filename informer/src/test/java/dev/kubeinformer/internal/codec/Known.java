package dev.kubeinformer.internal.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Items of a list, some of which are known, as {@code namespace/name/uid/version}.
 *
 * @param <T> the model class
 */
public final class Known<T> implements ListItems<T>, KnownObjects {

	private final Set<String> known;

	private final List<DecodedObject<T>> decoded = new ArrayList<>();

	private final List<String> included = new ArrayList<>();

	public Known(String... known) {
		this.known = Set.of(known);
	}

	@Override
	public void accept(DecodedObject<T> item) {
		this.decoded.add(item);
	}

	@Override
	public @Nullable KnownObjects known() {
		return this;
	}

	@Override
	public boolean include(ObjectIdentity identity) {
		String text = identity.namespace() + "/" + identity.name() + "/" + identity.uid() + "/"
				+ identity.resourceVersion();
		return this.known.contains(text) && this.included.add(text);
	}

	@Override
	public void exclude(ObjectMetadata metadata) {
		throw new UnsupportedOperationException();
	}

	@Override
	public int size() {
		return this.included.size();
	}

	/**
	 * Returns what was not decoded.
	 * @return the identities
	 */
	public List<String> included() {
		return this.included;
	}

	/**
	 * Returns what was decoded.
	 * @return the objects
	 */
	public List<DecodedObject<T>> decoded() {
		return this.decoded;
	}

}
