package dev.kubeinformer.benchmark;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;
import org.jspecify.annotations.Nullable;
import org.organicdesign.fp.collections.PersistentHashMap;
import org.pcollections.HashTreePMap;

/**
 * Map that could hold the objects of a cache. A write creates the next snapshot, as the
 * cache does for each event. {@link ConcurrentHashMap}, which has no snapshots, is the
 * reference.
 */
interface CandidateMap {

	@Nullable Object get(String key);

	CandidateMap with(String key, Object value);

	CandidateMap without(String key);

	CandidateMap withAll(Map<String, Object> entries);

	Iterable<?> values();

	/** Candidates. */
	enum Library {

		/** Kotlin's immutable collections. */
		KOTLINX(new Kotlinx(ExtensionsKt.persistentHashMapOf())),

		/** Vavr. */
		VAVR(new Vavr(io.vavr.collection.HashMap.empty())),

		/** PCollections. */
		PCOLLECTIONS(new PCollections(HashTreePMap.empty())),

		/** Paguro. */
		PAGURO(new Paguro(PersistentHashMap.empty())),

		/** Map without snapshots. */
		CONCURRENT_HASH_MAP(null);

		private final @Nullable CandidateMap empty;

		Library(@Nullable CandidateMap empty) {
			this.empty = empty;
		}

		CandidateMap empty() {
			return (this.empty != null) ? this.empty : new Concurrent(new ConcurrentHashMap<>());
		}

	}

	/**
	 * Kotlin's immutable collections.
	 *
	 * @param map the map
	 */
	record Kotlinx(PersistentMap<String, Object> map) implements CandidateMap {

		@Override
		public @Nullable Object get(String key) {
			return this.map.get(key);
		}

		@Override
		public CandidateMap with(String key, Object value) {
			return new Kotlinx(this.map.put(key, value));
		}

		@Override
		public CandidateMap without(String key) {
			return new Kotlinx(this.map.remove(key));
		}

		@Override
		public CandidateMap withAll(Map<String, Object> entries) {
			PersistentMap.Builder<String, Object> builder = this.map.builder();
			builder.putAll(entries);
			return new Kotlinx(builder.build());
		}

		@Override
		public Iterable<?> values() {
			return this.map.values();
		}

	}

	/**
	 * Vavr.
	 *
	 * @param map the map
	 */
	record Vavr(io.vavr.collection.HashMap<String, Object> map) implements CandidateMap {

		@Override
		public @Nullable Object get(String key) {
			return this.map.getOrElse(key, null);
		}

		@Override
		public CandidateMap with(String key, Object value) {
			return new Vavr(this.map.put(key, value));
		}

		@Override
		public CandidateMap without(String key) {
			return new Vavr(this.map.remove(key));
		}

		@Override
		public CandidateMap withAll(Map<String, Object> entries) {
			return new Vavr(this.map.merge(io.vavr.collection.HashMap.ofAll(entries)));
		}

		@Override
		public Iterable<?> values() {
			return this.map.valuesIterator();
		}

	}

	/**
	 * PCollections.
	 *
	 * @param map the map
	 */
	record PCollections(org.pcollections.HashPMap<String, Object> map) implements CandidateMap {

		@Override
		public @Nullable Object get(String key) {
			return this.map.get(key);
		}

		@Override
		public CandidateMap with(String key, Object value) {
			return new PCollections(this.map.plus(key, value));
		}

		@Override
		public CandidateMap without(String key) {
			return new PCollections(this.map.minus(key));
		}

		@Override
		public CandidateMap withAll(Map<String, Object> entries) {
			return new PCollections(this.map.plusAll(entries));
		}

		@Override
		public Iterable<?> values() {
			return this.map.values();
		}

	}

	/**
	 * Paguro.
	 *
	 * @param map the map
	 */
	record Paguro(PersistentHashMap<String, Object> map) implements CandidateMap {

		@Override
		public @Nullable Object get(String key) {
			return this.map.get(key);
		}

		@Override
		public CandidateMap with(String key, Object value) {
			return new Paguro(this.map.assoc(key, value));
		}

		@Override
		public CandidateMap without(String key) {
			return new Paguro(this.map.without(key));
		}

		@Override
		public CandidateMap withAll(Map<String, Object> entries) {
			PersistentHashMap.MutHashMap<String, Object> mutable = this.map.mutable();
			for (Map.Entry<String, Object> entry : entries.entrySet()) {
				mutable = mutable.assoc(entry.getKey(), entry.getValue());
			}
			return new Paguro(mutable.immutable());
		}

		@Override
		public Iterable<?> values() {
			return this.map.values();
		}

	}

	/**
	 * Map without snapshots.
	 *
	 * @param map the map
	 */
	record Concurrent(ConcurrentHashMap<String, Object> map) implements CandidateMap {

		@Override
		public @Nullable Object get(String key) {
			return this.map.get(key);
		}

		@Override
		public CandidateMap with(String key, Object value) {
			this.map.put(key, value);
			return this;
		}

		@Override
		public CandidateMap without(String key) {
			this.map.remove(key);
			return this;
		}

		@Override
		public CandidateMap withAll(Map<String, Object> entries) {
			this.map.putAll(entries);
			return this;
		}

		@Override
		public Iterable<?> values() {
			return this.map.values();
		}

	}

}
