package dev.kubeinformer.internal.reflector;

/**
 * What is known of answers in protobuf.
 *
 * @param malformedLists the number of lists since the last good one that were no proper
 * protobuf
 * @param avoidsProtobuf whether protobuf is not to be asked for, for a while
 */
record Encoding(int malformedLists, boolean avoidsProtobuf) {

	static Encoding initial() {
		return new Encoding(0, false);
	}

	/**
	 * Returns the encoding after a malformed list. A list that is no proper protobuf may
	 * be proper JSON: something between that does not know of protobuf may have damaged
	 * it.
	 * @param most after how many malformed lists protobuf is avoided
	 * @return the encoding
	 */
	Encoding listMalformed(int most) {
		return new Encoding(this.malformedLists + 1, this.avoidsProtobuf || this.malformedLists + 1 >= most);
	}

	Encoding avoidingProtobuf() {
		return new Encoding(this.malformedLists, true);
	}

	/**
	 * Returns the encoding once protobuf is not asked for. When it is again, malformed
	 * answers are counted anew.
	 * @return the encoding
	 */
	Encoding protobufAvoided() {
		return initial();
	}

	Encoding stored() {
		return new Encoding(0, this.avoidsProtobuf);
	}

}
