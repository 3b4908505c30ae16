"""Sample pictures: everything that can be drawn, for the gallery, the golden pictures, palettes and benchmarks."""
