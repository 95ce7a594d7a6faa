package dev.kubeinformer.internal.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.text.TextBytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class UnchangedObjectsTests {

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	@ParameterizedTest
	@CsvSource(delimiter = ';',
			value = { "blog;a;u1;7;true", "blog;a;u1;8;false", "blog;a;u1;70;false", "blog;a;u2;7;false",
					"blog;b;u1;7;false", "shop;a;u1;7;false", "'';a;u1;7;false", "blo;ga;u1;7;false",
					"blog;a;'';7;false", "blog;a;u1;'';false", "'';cluster;u3;9;true", "blog;ä;u4;1;false",
					"blog;nothing;'';2;false", "blog;unversioned;u6;'';false" })
	void objectIsFoundByAllOfItsIdentity(String namespace, String name, String uid, String version, boolean unchanged) {
		store(object("blog", "a", "u1", "7"), object("", "cluster", "u3", "9"), object("blog", "ä", "u4", "1"),
				object("blog", "nothing", "", "2"), object("blog", "unversioned", "u6", ""));
		UnchangedObjects<String> objects = new UnchangedObjects<>(this.store.snapshot(), "");
		assertThat(include(objects, namespace, name, uid, version)).isEqualTo(unchanged);
		assertThat(objects.size()).isEqualTo(unchanged ? 1 : 0);
		assertThat(objects.others(this.store.snapshot())).hasSize(unchanged ? 4 : 5);
	}

	@Test
	void textOfOtherCharactersIsNotTakenForThatOfItsBytes() {
		// The characters of this name are the bytes of another one.
		String other = new String("世".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
		store(object("blog", other, "u1", "7"));
		assertThat(include(new UnchangedObjects<>(this.store.snapshot(), ""), "blog", "世", "u1", "7")).isFalse();
	}

	@Test
	void objectThatIsListedTwiceCountsOnceAndOneThatIsGoneNotAtAll() {
		store(object("blog", "a", "u1", "7"), object("blog", "b", "u2", "8"));
		UnchangedObjects<String> objects = new UnchangedObjects<>(this.store.snapshot(), "");
		include(objects, "blog", "a", "u1", "7");
		include(objects, "blog", "a", "u1", "7");
		include(objects, "blog", "b", "u2", "8");
		assertThat(objects.size()).isEqualTo(2);
		objects.exclude("blog", "a");
		objects.exclude("blog", "a");
		objects.exclude("blog", "c");
		assertThat(objects.size()).isEqualTo(1);
		assertThat(objects.others(this.store.snapshot())).extracting(StoredObject::name).containsExactly("a");
	}

	@Test
	void whatIsNotedStaysAndTheRestIsDeleted() {
		store(object("blog", "a", "u1", "7"), object("blog", "b", "u2", "8"), object("blog", "c", "u3", "9"));
		StoredObject<String> before = this.store.snapshot().find("blog", "a");
		UnchangedObjects<String> objects = new UnchangedObjects<>(this.store.snapshot(), "");
		include(objects, "blog", "a", "u1", "7");
		RecordingSink sink = new RecordingSink();
		this.store.addSinkWithoutReplay(sink);
		this.store.writer("")
			.replace(List.of(object("blog", "c", "u3", "10"), object("blog", "d", "u4", "11")), objects, List.of(),
					false, "12", false);
		assertThat(sink.events()).containsExactly("complete", "-b unknown", "c>c", "+d");
		assertThat(this.store.snapshot().find("blog", "a")).isSameAs(before);
		assertThat(this.store.snapshot().size()).isEqualTo(3);
		assertThat(this.store.snapshot().resourceVersion("")).isEqualTo("12");
	}

	@Test
	void objectsThatCouldNotBeReadOrNamedStay() {
		store(object("blog", "a", "u1", "7"), object("blog", "b", "u2", "8"), object("blog", "c", "u3", "9"));
		UnchangedObjects<String> objects = new UnchangedObjects<>(this.store.snapshot(), "");
		include(objects, "blog", "a", "u1", "7");
		this.store.writer("")
			.replace(List.of(), objects, List.of(Unreadables.of("blog", "b", "u2")), false, "12", false);
		assertThat(this.store.snapshot().keys()).containsExactlyInAnyOrder("blog/a", "blog/b");
		this.store.writer("")
			.replace(List.of(), new UnchangedObjects<>(this.store.snapshot(), ""), List.of(), true, "13", false);
		assertThat(this.store.snapshot().keys()).containsExactlyInAnyOrder("blog/a", "blog/b");
	}

	@Test
	void indexesThatCameMeanwhileHoldNothingThatIsDeleted() {
		store(object("blog", "a", "u1", "7"), object("blog", "b", "u2", "8"));
		UnchangedObjects<String> objects = new UnchangedObjects<>(this.store.snapshot(), "");
		include(objects, "blog", "a", "u1", "7");
		this.store.addIndexers(Map.of("all", (object) -> List.of("x")));
		this.store.writer("").replace(List.of(), objects, List.of(), false, "12", false);
		assertThat(this.store.snapshot().byIndex("all", "x")).containsExactly("a");
	}

	@Test
	void partitionIsOnItsOwn() {
		ObjectStore<String> namespaces = new ObjectStore<>(Set.of("blog", "shop"));
		namespaces.writer("shop").replace(List.of(object("shop", "a", "u1", "7")), List.of(), false, "8", false);
		namespaces.writer("blog").replace(List.of(object("blog", "a", "u2", "8")), List.of(), false, "8", false);
		UnchangedObjects<String> objects = new UnchangedObjects<>(namespaces.snapshot(), "blog");
		assertThat(include(objects, "shop", "a", "u1", "7")).isFalse();
		assertThat(include(objects, "blog", "a", "u2", "8")).isTrue();
		assertThat(objects.others(namespaces.snapshot())).isEmpty();
	}

	@Test
	void versionsOfARegressionProveNothing() {
		store(object("blog", "a", "u1", "7"));
		UnchangedObjects<String> objects = new UnchangedObjects<>(this.store.snapshot(), "");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.writer("").replace(List.of(), objects, List.of(), false, "3", true));
	}

	@Test
	void anyNumberOfObjectsIsFound() {
		Random random = new Random(7);
		List<StoredObject<String>> all = new ArrayList<>();
		for (int i = 0; i < 3_000; i++) {
			all.add(object("n" + random.nextInt(5), "a" + i, "u" + i, Integer.toString(random.nextInt(10_000) + 1)));
		}
		this.store.writer("").replace(all, List.of(), false, "9", false);
		UnchangedObjects<String> objects = new UnchangedObjects<>(this.store.snapshot(), "");
		assertThat(all)
			.allMatch((each) -> include(objects, each.namespace(), each.name(), each.uid(), each.resourceVersion()));
		assertThat(objects.size()).isEqualTo(3_000);
		assertThat(objects.others(this.store.snapshot())).isEmpty();
	}

	@SafeVarargs
	@SuppressWarnings("varargs")
	private void store(StoredObject<String>... objects) {
		this.store.writer("").replace(List.of(objects), List.of(), false, "9", false);
	}

	private static StoredObject<String> object(String namespace, String name, String uid, String version) {
		return new StoredObject<>(namespace, name, uid, version, name);
	}

	private static boolean include(UnchangedObjects<String> objects, String... identity) {
		TextBytes[] texts = new TextBytes[identity.length];
		for (int i = 0; i < texts.length; i++) {
			byte[] bytes = ("<" + identity[i] + ">").getBytes(StandardCharsets.UTF_8);
			texts[i] = new TextBytes();
			texts[i].set(bytes, 1, bytes.length - 1);
		}
		return objects.include(texts[0], texts[1], texts[2], texts[3]);
	}

}
