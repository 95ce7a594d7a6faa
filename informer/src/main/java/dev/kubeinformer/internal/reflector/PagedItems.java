package dev.kubeinformer.internal.reflector;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.codec.ObjectIdentity;
import dev.kubeinformer.internal.codec.ObjectMetadata;

/**
 * Items of a list in pages, in the order of their arrival.
 *
 * @param <T> the model class
 */
final class PagedItems<T> implements ListItems<T>, KnownObjects {

	private final List<DecodedObject<T>> objects = new ArrayList<>();

	private final ReflectorSink<T> sink;

	private final boolean compareContent;

	private final @Nullable KnownObjects cached;

	private int foreign;

	/**
	 * Identity of the first object of the current page; empty before this object is
	 * received.
	 */
	private String beginning = "";

	PagedItems(ReflectorSink<T> sink, boolean compareContent) {
		this.sink = sink;
		this.compareContent = compareContent;
		this.cached = sink.begin(compareContent);
	}

	@Override
	public void accept(DecodedObject<T> item) {
		exclude(item.metadata());
		if (this.beginning.isEmpty()) {
			this.beginning = item.metadata().namespace() + "/" + item.metadata().name();
		}
		this.objects.add(this.sink.listed(item, this.compareContent));
	}

	@Override
	public void foreign() {
		this.foreign++;
		if (this.beginning.isEmpty()) {
			// The object's name is not available here; a number that differs for each
			// page is enough.
			this.beginning = Integer.toString(this.foreign);
		}
		this.sink.foreign();
	}

	@Override
	public @Nullable KnownObjects known() {
		return (this.cached != null) ? this : null;
	}

	@Override
	public boolean include(ObjectIdentity identity) {
		if (this.beginning.isEmpty()) {
			this.beginning = identity.namespace() + "/" + identity.name();
		}
		return this.cached != null && this.cached.include(identity);
	}

	@Override
	public void exclude(ObjectMetadata metadata) {
		if (this.cached != null) {
			this.cached.exclude(metadata);
		}
	}

	@Override
	public void deleted(ObjectMetadata metadata) {
		if (this.cached != null) {
			this.cached.deleted(metadata);
		}
	}

	@Override
	public int size() {
		return this.objects.size() + ((this.cached != null) ? this.cached.size() : 0);
	}

	/**
	 * Returns the number of received objects, including objects of other shards.
	 * @return the number; it grows while the list is in progress
	 */
	int received() {
		return size() + this.foreign;
	}

	/**
	 * Ends a page.
	 * @return the identity of the first object of the page; empty if the page has no
	 * object
	 */
	String turn() {
		String begun = this.beginning;
		this.beginning = "";
		return begun;
	}

	/**
	 * Returns the decoded objects.
	 * @return the objects, without those that the cache already holds in the same version
	 */
	List<DecodedObject<T>> objects() {
		return this.objects;
	}

}
