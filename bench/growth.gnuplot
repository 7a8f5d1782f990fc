# SPDX-License-Identifier: Apache-2.0
#
# Draws the curves of build/growth.tsv; scripts/bench-growth calls it.
set terminal svg size 900,640 font "sans-serif,13" background rgb "white"
set output drawing
set datafile separator "\t"
set multiplot layout 2,3
set grid lc rgb "#dddddd"
set border 3 lc rgb "#888888"
set tics nomirror
set logscale x 10
set format x "10^{%L}"
set yrange [0:*]
set key off

curve(name) = sprintf("< grep '^%s\t' %s", name, results)
set style line 1 lc rgb "#1f6fb2" lw 2 pt 7 ps 0.6
set style line 2 lc rgb "#c2571a" lw 2 pt 7 ps 0.6

set title "Point read, µs, by rows of the file"
plot curve("point read by rows of the file, us") using 2:3 with linespoints ls 1
set title "Point read, µs, by partitions of 100,000 rows"
plot curve("point read by partitions of 100,000 rows, us") using 2:3 with linespoints ls 1
set title "Peak memory of a stream, MiB, by rows"
plot curve("peak memory of a stream, MiB") using 2:3 with linespoints ls 1
set title "Stream, µs for each row, by rows"
plot curve("stream by rows of the file, us a row") using 2:3 with linespoints ls 1
set title "Page, µs, by its rows"
set logscale y
set yrange [*:*]
plot curve("page by its rows, us") using 2:3 with linespoints ls 1
unset logscale
set format x "%g"
set yrange [0:*]
set title "µs by properties of an entity"
set key top left
plot curve("insert by properties, us") using 2:3 with linespoints ls 2 title "insert", \
     curve("point read by properties, us") using 2:3 with linespoints ls 1 title "point read"
unset multiplot
