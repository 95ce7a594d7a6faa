package dev.kubeinformer.internal.codec.copy;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ModelCopierTests {

	private static final int HASH = "names java.util.List<java.lang.String>".hashCode() + "size int".hashCode();

	@Test
	void copierShouldBeUsedOnlyForTheFieldsThatItKnows() {
		assertThat(new PartCopier(2, HASH).copies(Part.class)).isTrue();
		assertThat(new PartCopier(2, HASH + 1).copies(Part.class)).isFalse();
		assertThat(new PartCopier(3, HASH).copies(Part.class)).isFalse();
		assertThat(new PartCopier(2, HASH).copies(Object.class)).isFalse();
	}

	@Test
	void modelWithOtherFieldsShouldBeCopiedByOthers() {
		Part part = new Part();
		Part other = new Part();
		ValueCopier others = new ValueCopier() {

			@Override
			@SuppressWarnings("unchecked")
			public <V> V copy(V value) {
				return (V) other;
			}

		};
		assertThat(new PartCopier(2, HASH).copy(part, others)).isNotSameAs(part).isNotSameAs(other);
		PartCopier newer = new PartCopier(3, HASH);
		assertThat(newer.copy(part, others)).isSameAs(other);
		assertThat(newer.copyList(List.of(part), others)).containsExactly(other);
	}

	static class Part {

		static final String CONSTANT = "";

		List<String> names = List.of();

		int size;

	}

	static final class PartCopier extends ModelCopier<Part> {

		PartCopier(int fields, int hash) {
			super(Part.class, fields, hash);
		}

		@Override
		Part copyFields(Part model, ValueCopier others) {
			return new Part();
		}

	}

}
